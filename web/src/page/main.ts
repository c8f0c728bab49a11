/** The demo page around the element: its title, its example queries, and what was downloaded. */
import "../element/almanac-search";
import { formatBytes } from "../text/format";

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
  // One line that was there before: a heading that grew would move everything below it.
  fill("collection", name);
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

/** The lesson, loaded where the address asks for it; the search stays as the source of its numbers. */
async function teach(source: NonNullable<typeof search>, parameters: URLSearchParams): Promise<void> {
  const { openLesson } = await import("../demo/lesson");
  const lesson = openLesson(source, parameters, "photographs of workers in the 1930s");
  for (const id of ["examples-section", "lesson-link"]) document.getElementById(id)?.toggleAttribute("hidden", true);
  const back = document.createElement("a");
  const plain = new URL(location.href);
  plain.searchParams.delete("demo");
  back.href = plain.href;
  const say = (): void => {
    back.textContent = source.language.say("demo.back");
    lesson.speak();
  };
  lesson.after(back);
  source.addEventListener("almanac-language", say);
  say();
  const conceal = (): void => void (source.hidden = source.stage === "full");
  source.addEventListener("almanac-stage", conceal);
  conceal();
  source.load();
}

/** The question asked goes along to the lesson. */
const link = document.querySelector<HTMLAnchorElement>("#lesson-link a");
link?.addEventListener("click", () => {
  const address = new URL(location.href);
  address.searchParams.set("demo", "1");
  link.href = address.href;
});

const parameters = new URLSearchParams(location.search);
if (search !== null && parameters.has("demo")) void teach(search, parameters);
