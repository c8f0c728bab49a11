/** The demo page around the element: its title, its example queries, and what was downloaded. */
import "../element/almanac-search";
import { formatBytes, formatCount } from "../text/format";

const search = document.querySelector("almanac-search");

/** Fills the element with `id`, where the page has it. */
function fill(id: string, text: string): void {
  const node = document.getElementById(id);
  if (node !== null) node.textContent = text;
}

function showCollection(): void {
  const info = search?.info;
  if (info === null || info === undefined) return;
  const name = info.title === "" ? "Almanac" : info.title;
  fill("title", `${name}: search ${formatCount(info.documents)} records by meaning and time`);
  document.title = `${name}: search by meaning and time`;
}

function showDownloads(): void {
  const bytes = search?.downloads;
  const panel = document.getElementById("downloads");
  if (bytes === null || bytes === undefined || panel === null) return;
  panel.hidden = false;
  for (const [name, count] of Object.entries(bytes)) fill(`downloads-${name}`, formatBytes(count));
  fill("downloads-total", formatBytes(Object.values(bytes).reduce((sum, count) => sum + count, 0)));
}

for (const button of document.querySelectorAll("#examples button")) {
  button.addEventListener("click", () => {
    search?.search(button.textContent ?? "");
    search?.focus();
  });
}

search?.addEventListener("almanac-state", () => {
  showCollection();
  showDownloads();
});
for (const event of ["almanac-stage", "almanac-backend", "almanac-results"]) search?.addEventListener(event, showDownloads);
