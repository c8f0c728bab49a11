import { en } from "./en";
import { placesOf, type Key, type Strings } from "./table";

/**
 * Reads a site's own sentences from JSON; those it leaves out stay English.
 *
 * @throws Error naming each key that does not exist, a sentence that is no text,
 * or a place that a sentence does not have.
 */
export function readStrings(json: string): Strings {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (cause) {
    throw new Error(`it is not JSON (${cause instanceof Error ? cause.message : String(cause)})`);
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw new Error("it is not a JSON object");
  const given = Object.entries(parsed as Record<string, unknown>);
  const unknown = given.map(([key]) => key).filter((key) => !isKey(key));
  if (unknown.length > 0) throw new Error(`unknown keys: ${unknown.map((key) => JSON.stringify(key)).join(", ")}`);
  const strings: Strings = { ...en };
  for (const [key, sentence] of given) {
    if (typeof sentence !== "string") throw new Error(`the value of ${JSON.stringify(key)} is not text`);
    const places = placesOf(en[key as Key]);
    const strange = placesOf(sentence).filter((place) => !places.includes(place));
    if (strange.length > 0) throw new Error(`${JSON.stringify(key)} has no place {${strange[0]}}`);
    strings[key as Key] = sentence;
  }
  return strings;
}

function isKey(key: string): key is Key {
  return Object.hasOwn(en, key);
}
