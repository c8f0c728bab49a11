import type { Door, Encoder } from "../src/door";
import { loadEncoder } from "./support/encoder";
import { expect, open, reachFull, searchFor, SUB_PATH, test } from "./support/fixtures";
import { mainThreadTasks } from "./support/tasks";

test("no task of the main thread takes 50 ms of the processor while the index loads and answers", async ({ page, server, browser }) => {
  // Processor time and not elapsed time, so that other programs on the machine do not count.
  const tasks = await mainThreadTasks(browser, page, async () => {
    await open(page, server, "?backend=cpu");
    await page.getByRole("searchbox").pressSequentially("portrait of a woman 1850", { delay: 30 });
    await reachFull(page);
    for (const query of ["boats on a stormy sea", "silver from the 18th century", '"oil on canvas" landscape']) await searchFor(page, query);
  });
  const spin = await mainThreadTasks(browser, page, () =>
    page.evaluate(() => {
      for (let n = 0; n < 2e8; n += 1) if (n < 0) document.title = "never";
    }),
  );
  expect(spin[0], "a long task is seen").toBeGreaterThan(50);
  expect(tasks.length, "the trace holds the main thread's tasks").toBeGreaterThan(100);
  expect(tasks[0], `the longest: ${tasks.slice(0, 5).join(", ")} ms`).toBeLessThan(50);
});

test("the module's memory stays level over 300 queries", async ({ page, server }) => {
  test.setTimeout(300_000);
  await loadEncoder(page, server, "cpu");
  const sizes = await page.evaluate(async (folder) => {
    const { door, encoder } = globalThis as unknown as { door: Door & { default(): Promise<{ memory: WebAssembly.Memory }> }; encoder: Encoder };
    const { memory } = await door.default();
    const read = async (file: string): Promise<Uint8Array> => new Uint8Array(await (await fetch(folder + file)).arrayBuffer());
    const index = door.Index.open(await read("manifest.json"));
    for (const { name } of index.required_files()) index.add_file(name, await read(name));
    const words = ["woman", "river", "glass", "chair", "steel", "1850", "winter", "child", "print", "silk", "18th century"];
    const sizes: number[] = [];
    for (let at = 0; at < 300; at += 1) {
      const query = [at, at * 7 + 1, at * 13 + 2].map((place) => words[place % words.length]).join(" ");
      const question = JSON.stringify({ query, k: 10 });
      for (const { name } of index.word_files(question)) index.add_file(name, await read(name));
      index.rank(question, await encoder.encode(query, "query"));
      sizes.push(memory.buffer.byteLength);
    }
    return sizes;
  }, `${SUB_PATH}index/`);
  expect(sizes.length).toBe(300);
  expect(sizes[299], `bytes after 1, 50 and 300 queries: ${sizes[0]}, ${sizes[49]}, ${sizes[299]}`).toBe(sizes[49]);
});
