/** The page around the element: the collection's title and example searches, and what was downloaded. */
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

/** The searches that the collection's owner offers; nothing where there are none. */
function showExamples(): void {
  const list = document.getElementById("examples");
  const examples = search?.info?.examples;
  if (list === null || examples === undefined || list.childElementCount > 0) return;
  document.getElementById("examples-section")?.toggleAttribute("hidden", examples.length === 0 || parameters.has("demo"));
  const items = examples.map((example) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: example, dir: "auto" });
    button.addEventListener("click", () => {
      search?.search(example);
      search?.focus();
    });
    const item = document.createElement("li");
    item.append(button);
    return item;
  });
  list.append(...items);
}

const parameters = new URLSearchParams(location.search);

search?.addEventListener("almanac-state", () => {
  showCollection();
  showExamples();
  showDownloads();
});
for (const event of ["almanac-stage", "almanac-backend", "almanac-results"]) search?.addEventListener(event, showDownloads);

/** The lesson, loaded where the address asks for it; the search stays as the source of its numbers. */
async function teach(source: NonNullable<typeof search>, parameters: URLSearchParams): Promise<void> {
  const { openLesson } = await import("../demo/lesson");
  const lesson = openLesson(source, parameters);
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

if (search !== null && parameters.has("demo")) void teach(search, parameters);
