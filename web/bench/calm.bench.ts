import { test } from "@playwright/test";
import { site } from "../e2e/support/paths";
import { StaticServer } from "../e2e/support/server";
import { mainThreadTasks } from "../e2e/support/tasks";
import { indexOf } from "./support/synthetic";

const PASSAGES = 100_000;

const QUERIES = ["red silk", "portrait of a woman around 1850", "boats on a stormy sea", "steel mill at night"];

test(`longest tasks of the main thread over ${PASSAGES} passages`, async ({ browser, page }) => {
  const server = new StaticServer({ "/index/": await indexOf(PASSAGES), "/": site });
  await server.start();
  const tasks = await mainThreadTasks(browser, page, async () => {
    await page.goto(`${server.origin}/?backend=cpu`);
    for (const query of QUERIES) {
      await page.getByRole("searchbox").fill("");
      await page.getByRole("searchbox").pressSequentially(query, { delay: 30 });
      await page.waitForFunction(() => document.querySelector("almanac-search")?.info !== null, null, { timeout: 120_000 });
      await page.waitForTimeout(2000);
    }
  });
  const over = tasks.filter((millis) => millis >= 50).length;
  const longest = tasks.slice(0, 5).map((millis) => millis.toFixed(1));
  console.log(`\n${PASSAGES} passages, loaded and asked ${QUERIES.length} times as it is typed`);
  console.log(`${tasks.length} tasks, ${over} of 50 ms and more; the longest, ms of the processor: ${longest.join(", ")}`);
  await server.stop();
});
