import type { Browser, Page } from "@playwright/test";

/** One event of Chromium's trace; times in microseconds, `tdur` the processor's alone. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  tdur?: number;
  args?: { name?: string };
}

/** The processor time of each task of the pages' main threads while something happens, ms, longest first. */
export async function mainThreadTasks(browser: Browser, page: Page, what: () => Promise<void>): Promise<number[]> {
  await browser.startTracing(page, { categories: ["toplevel"] });
  await what();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString("utf8")) as { traceEvents: TraceEvent[] };
  const key = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  const main = new Set(traceEvents.filter((event) => event.args?.name === "CrRendererMain").map(key));
  const tasks = traceEvents.filter((event) => event.name.endsWith("RunTask") && main.has(key(event)));
  return tasks.map((event) => (event.tdur ?? 0) / 1000).sort((a, b) => b - a);
}
