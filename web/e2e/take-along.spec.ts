import { readFile } from "node:fs/promises";
import { expect, open, searchFor, test } from "./support/fixtures";

const query = "boats on a stormy sea";

test("the results shown are downloaded as a table and as data, under the page's own policy", async ({ page, server }) => {
  await open(page, server, "?backend=cpu");
  const found = await searchFor(page, query);
  const group = page.getByRole("group", { name: "Download 10 results as" });
  const save = async (name: string): Promise<string> => {
    const [download] = await Promise.all([page.waitForEvent("download"), group.getByRole("button", { name }).click()]);
    expect(download.suggestedFilename()).toBe(`results.${name.toLowerCase()}`);
    return readFile(await download.path(), "utf8");
  };
  const csv = await save("CSV");
  expect(csv.split("\r\n")[0]).toContain('"rank","id","title"');
  for (const { id } of found.documents) expect(csv).toContain(`"${id}"`);
  const data = JSON.parse(await save("JSON")) as { query: string; address: string; results: { id: string }[] };
  expect(data.results.map(({ id }) => id)).toEqual(found.documents.map(({ id }) => id));
  expect(data).toMatchObject({ query, address: page.url() });
});

test("a citation is copied, and shown where the browser does not let a page copy", async ({ page, server, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, server, "?backend=cpu");
  const found = await searchFor(page, query);
  await page.getByText("Why this result").first().click();
  const cite = page.getByRole("group", { name: "Copy a citation" }).first();
  await cite.getByRole("button", { name: "BibTeX" }).click();
  await expect(cite.getByRole("status")).toHaveText("BibTeX: copied.");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^@misc\{/);
  expect(copied).toContain("Carnegie Museum of Art");
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
  });
  await cite.getByRole("button", { name: "Plain" }).click();
  await expect(cite.getByRole("textbox")).toHaveValue(new RegExp(found.documents[0]?.id.slice(-6) ?? "x"));
});
