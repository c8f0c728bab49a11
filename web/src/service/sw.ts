/**
 * The service worker: answers for the page itself, so that it opens without a network.
 *
 * The model and the index are kept by the search worker, which can check them.
 */
import type { ServiceScope } from "./scope";
import { forgetShells, Shell, type ShellList } from "./shell";

const scope = self as unknown as ServiceScope;

/** Written here by the build. */
const list = JSON.parse("__ALMANAC_SHELL__") as ShellList;

const shell = new Shell(list, scope.registration.scope, caches, (input, init) => fetch(input, init));

scope.addEventListener("install", (event) => event.waitUntil(shell.fill()));

// Taking over at once is safe only where no older build is at work; a newer one waits for the visitor.
scope.addEventListener("activate", (event) => event.waitUntil(shell.clear().then(() => scope.clients.claim())));

scope.addEventListener("message", (event) => {
  if (event.data === "almanac-take-over") event.waitUntil(scope.skipWaiting());
});

scope.addEventListener("fetch", (event) => {
  const address = shell.address(event.request);
  if (address === null) return;
  if (event.request.mode === "navigate") event.waitUntil(obeyKillSwitch());
  event.respondWith(shell.answer(address, event.request));
});

/**
 * Removes itself where the site's `kill.json` says so, and loads its pages from the server again.
 *
 * A page that is kept and broken could not do that for itself.
 */
async function obeyKillSwitch(): Promise<void> {
  const url = new URL("kill.json", scope.registration.scope);
  const answer: unknown = await fetch(url, { cache: "no-store" })
    .then((response) => (response.ok ? response.json() : null))
    .catch(() => null);
  if (typeof answer !== "object" || answer === null || !("kill" in answer) || answer.kill !== true) return;
  await forgetShells(caches, scope.registration.scope);
  await scope.registration.unregister();
  const pages = await scope.clients.matchAll({ type: "window" });
  await Promise.all(pages.map((page) => page.navigate(page.url).catch(() => null)));
}
