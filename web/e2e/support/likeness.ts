import type { BrowserContext } from "@playwright/test";

/** Side of the squares that are compared, in pixels: about a line of text. */
const CELL = 20;

/** Rows up and down among which a square may find its like: text in another font breaks its lines elsewhere. */
const SHIFT = 3;

/** Difference of two squares' mean colors, per channel of 0 to 255, from which they count as different. */
const DIFFERENT = 30;

/**
 * The part of what stands on two pictures, 0 to 1, that has no like in the other near the same place.
 *
 * Pictures are compared as squares of their mean color, each with the most similar one at most three
 * rows away, so that another font changes little while a part that is missing, doubled or in another
 * color changes much.
 */
export async function difference(context: BrowserContext, one: Buffer, other: Buffer): Promise<number> {
  const page = await context.newPage();
  try {
    return await page.evaluate(
      async ({ pictures, cell, shift, different }) => {
        const grids = await Promise.all(
          pictures.map(async (base64) => {
            const image = new Image();
            image.src = `data:image/png;base64,${base64}`;
            await image.decode();
            const [width, height] = [Math.floor(image.width / cell), Math.floor(image.height / cell)];
            const canvas = document.createElement("canvas");
            Object.assign(canvas, { width: image.width, height: image.height });
            const drawing = canvas.getContext("2d");
            if (drawing === null) throw new Error("there is no canvas");
            drawing.drawImage(image, 0, 0);
            const { data } = drawing.getImageData(0, 0, image.width, image.height);
            const means = Array.from({ length: width * height }, (_, at) => {
              const [left, top] = [(at % width) * cell, Math.floor(at / width) * cell];
              const sums = [0, 0, 0];
              for (let y = top; y < top + cell; y += 1)
                for (let x = left; x < left + cell; x += 1)
                  for (let channel = 0; channel < 3; channel += 1) sums[channel] = (sums[channel] ?? 0) + (data[4 * (y * image.width + x) + channel] ?? 0);
              return sums.map((sum) => sum / (cell * cell));
            });
            return { width, height, means };
          }),
        );
        const [a, b] = grids;
        if (a === undefined || b === undefined || a.width !== b.width || a.height !== b.height) return 1;
        const away = (p: number[] = [], q: number[] = []): number => Math.max(...p.map((value, channel) => Math.abs(value - (q[channel] ?? 0))));
        const without = (from: typeof a, to: typeof a): number => {
          let [count, filled] = [0, 0];
          const paper = from.means[0];
          for (let y = 0; y < from.height; y += 1) {
            for (let x = 0; x < from.width; x += 1) {
              if (away(from.means[y * from.width + x], paper) < 4) continue;
              filled += 1;
              let least = Infinity;
              for (let dy = -shift; dy <= shift; dy += 1) {
                const row = y + dy;
                if (row >= 0 && row < to.height) least = Math.min(least, away(from.means[y * from.width + x], to.means[row * to.width + x]));
              }
              if (least > different) count += 1;
            }
          }
          return filled === 0 ? 1 : count / filled;
        };
        return Math.max(without(a, b), without(b, a));
      },
      { pictures: [one, other].map((picture) => picture.toString("base64")), cell: CELL, shift: SHIFT, different: DIFFERENT },
    );
  } finally {
    await page.close();
  }
}
