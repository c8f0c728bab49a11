import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { cosine, encodeAll, loadEncoder } from "./support/encoder";
import { expect, test } from "./support/fixtures";
import { repository } from "./support/paths";

interface Reference {
  items: { text: string; embedding: number[] }[];
}

for (const backend of ["cpu", "gpu"] as const) {
  test(`the ${backend.toUpperCase()} module has a cosine of at least 0.999 with an independent implementation`, async ({
    page,
    server,
  }) => {
    test.setTimeout(900_000);
    const file = join(repository, "model-export/tests/data/reference-minilm.json");
    const { items } = JSON.parse(await readFile(file, "utf8")) as Reference;
    expect(items.length).toBe(20);
    await loadEncoder(page, server, backend);
    const vectors = await encodeAll(
      page,
      items.map((item) => item.text),
    );
    for (const [at, item] of items.entries()) {
      expect(cosine(item.embedding, vectors[at] ?? []), item.text).toBeGreaterThanOrEqual(0.999);
    }
  });
}
