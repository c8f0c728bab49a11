import { en } from "./en";
import { Language, type Strings } from "./table";
import { zhHans } from "./zh-hans";

/** English, and what is shown until another language is there. */
export const english = new Language("en", en);

/** The built-in language nearest to a tag: Chinese for every kind of Chinese, else English. */
export function builtIn(tag: string): Language {
  return /^zh\b/i.test(tag) ? new Language("zh-Hans", zhHans) : english;
}

/** A site's own sentences, in the language that the page says it is in. */
export function ownLanguage(tag: string, strings: Strings): Language {
  try {
    return new Language(tag === "" ? "en" : tag, strings);
  } catch {
    // A tag that is none: the sentences hold all the same.
    return new Language("en", strings);
  }
}

/** The language in force at an element: its own `lang`, else that of the nearest element around it. */
export function languageTag(element: Element): string {
  let at: Element | null = element;
  while (at !== null) {
    const found = at.closest("[lang]");
    if (found !== null) return found.getAttribute("lang") ?? "";
    const root: Node = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return "";
}
