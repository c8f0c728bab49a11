import type { FoundDocument } from "../protocol";
import { safeLink } from "../text/link";
import { h } from "./dom";

/** How results may be shown. */
export interface ResultOptions {
  /** Against which relative links are resolved. */
  base: string;
  /** Whether thumbnails may be fetched from other sites, which then learn of the visit. */
  remoteImages: boolean;
}

/** Builds one result as a list item. */
export function resultItem(found: FoundDocument, options: ResultOptions): HTMLLIElement {
  return h(
    "li",
    { part: "result" },
    thumbnail(found, options),
    h(
      "div",
      { class: "body" },
      title(found, options.base),
      found.date === null || found.date === "" ? null : h("p", { class: "date", part: "date", dir: "auto" }, found.date),
      h("p", { class: "passage", part: "passage", dir: "auto" }, found.passage),
      explanation(found),
    ),
  );
}

function title(found: FoundDocument, base: string): HTMLElement {
  const text = found.title.trim() === "" ? found.id : found.title;
  const link = safeLink(found.url, base);
  if (link === null) return h("h3", { part: "title", dir: "auto", tabindex: "-1", "data-title": true }, text);
  const anchor = h("a", { href: link.href, rel: "noopener noreferrer", "data-title": true }, text);
  return h("h3", { part: "title", dir: "auto" }, anchor);
}

function thumbnail(found: FoundDocument, options: ResultOptions): HTMLElement | null {
  const source = safeLink(found.image, options.base);
  if (source === null) return null;
  if (source.origin !== new URL(options.base).origin && !options.remoteImages) return null;
  // The title beside it says what it shows; a second reading would only be noise.
  const image = h("img", { part: "thumbnail", loading: "lazy", decoding: "async", alt: "", referrerpolicy: "no-referrer", src: source.href });
  image.addEventListener("error", () => image.remove(), { once: true });
  return image;
}

/** The score and the document's fields, built only when they are asked for. */
function explanation(found: FoundDocument): HTMLElement {
  const details = h("details", { part: "explanation" }, h("summary", {}, "Why this result", h("span", { class: "hidden-text" }, `: ${found.title}`)));
  details.addEventListener(
    "toggle",
    () => {
      const fields = found.fields.flatMap(([name, value]) => [h("dt", { dir: "auto" }, name), h("dd", { dir: "auto" }, value)]);
      details.append(
        h(
          "p",
          { class: "why" },
          `The passage above is the one in this record closest in meaning to the query: its similarity (cosine) is ${found.score.toFixed(3)}, where 1 is the same meaning.`,
        ),
        h("dl", {}, h("dt", {}, "Identifier"), h("dd", {}, found.id), ...fields),
      );
    },
    { once: true },
  );
  return details;
}
