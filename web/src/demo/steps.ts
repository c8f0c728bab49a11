import { spanText } from "../element/dates";
import { h } from "../element/dom";
import type { Key, Language } from "../language/table";
import type { Explained, ExplainedDocument } from "../protocol";
import type { DaySpan } from "../timeline/density";
import { bars, curves } from "./figures";

/** What a step is built from. */
export interface Lesson {
  explained: Explained;
  language: Language;
  /** The record that is looked at closely. */
  record: ExplainedDocument;
}

const paragraph = (text: string): HTMLElement => h("p", {}, text);

/** The sum of the products of two vectors, number by number. */
export function products(one: readonly number[], other: readonly number[]): number[] {
  return one.map((value, at) => value * (other[at] ?? 0));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The question, taken apart into time and tokens. */
export function questionStep({ explained, language }: Lesson): Node[] {
  const { understood, pieces } = explained;
  const dates = understood.dates.map((date) => `${date.match} → ${spanText(date, language)}`);
  const token = (text: string): HTMLElement => h("li", { class: "token", dir: "auto" }, text);
  return [
    paragraph(dates.length === 0 ? language.say("demo.question.undated") : language.say("demo.question.dated", { dates: dates.join(language.say("list.separator")) })),
    ...(pieces.length === 0
      ? [paragraph(language.say("demo.question.only"))]
      : [
          paragraph(language.say("demo.question.tokens", { text: understood.meaning_text, count: language.count(pieces.length) })),
          h("ul", { class: "tokens", role: "list" }, ...pieces.map(token)),
        ]),
  ];
}

/** The vector that the tokens become. */
export function vectorStep({ explained, language }: Lesson): Node[] {
  const { vector } = explained;
  if (vector === null) return [paragraph(language.say("demo.vector.none"))];
  const [least, most] = [Math.min(...vector), Math.max(...vector)].map((value) => value.toFixed(3));
  const values = { count: language.count(vector.length), least: least ?? "", most: most ?? "" };
  return [
    paragraph(language.say("demo.vector.text", values)),
    bars(vector, language.say("demo.vector.drawing", values)),
    paragraph(language.say("demo.vector.length", { length: Math.sqrt(sum(products(vector, vector))).toFixed(3) })),
  ];
}

/** The cosine of the question's vector with that of a passage. */
export function cosineStep({ explained, language, record }: Lesson): Node[] {
  const { vector } = explained;
  if (vector === null || record.cosine === null) return [paragraph(language.say("demo.vector.none"))];
  const each = products(vector, record.vector);
  const values = { cosine: record.cosine.toFixed(3), sum: sum(each).toFixed(3) };
  return [
    h("blockquote", { dir: "auto" }, record.passage),
    paragraph(language.say("demo.cosine.text")),
    bars(vector, language.say("demo.cosine.pair"), record.vector),
    paragraph(language.say("demo.cosine.products")),
    bars(each, language.say("demo.cosine.drawing", values)),
    h("p", {}, language.say("demo.cosine.sum", values)),
  ];
}

/** The time of the question over that of a record. */
export function timeStep({ explained, language, record }: Lesson): Node[] {
  const { understood, by, weights, prose } = explained;
  const asked = understood.dates.map(({ first, last }): DaySpan => [first ?? Number.NEGATIVE_INFINITY, last ?? Number.POSITIVE_INFINITY]);
  if (!by.time || asked.length === 0) return [paragraph(language.say("demo.time.none"))];
  const span = understood.dates.map((date) => spanText(date, language)).join(language.say("list.separator"));
  const values = { span, date: record.time?.date ?? record.date ?? "" };
  if (record.intervals.length === 0) return [paragraph(language.say("demo.time.undated", { title: record.title }))];
  const drawn = curves(asked, record.intervals, language.say("demo.time.drawing", values), language);
  // Where time is all that counts, its weight is whole.
  const alpha = explained.vector === null && !by.words ? 1 : weights.time;
  const relation = record.time?.relation ?? "unknown";
  // Where a question has a beginning; without one it is scored as a museum's.
  const begins = prose && relation !== "unknown" && understood.dates.every(({ first, seasonal }) => first !== null && !seasonal);
  return [
    paragraph(language.say("demo.time.text", values)),
    ...(drawn === null ? [] : [drawn.node, paragraph(language.say(drawn.cut ? "demo.time.common.cut" : "demo.time.common", { common: language.say("percent", { count: (100 * drawn.common).toFixed(0) }) }))]),
    ...(alpha === 0 ? [] : [paragraph(language.say(begins ? "demo.time.prose" : `demo.time.${relation}`, { score: (record.shares.time / alpha).toFixed(3) }))]),
  ];
}

/** The parts of a score, in the order in which they are drawn. */
const parts: readonly { part: "meaning" | "words" | "time"; key: Key }[] = [
  { part: "meaning", key: "why.meaning" },
  { part: "words", key: "why.words" },
  { part: "time", key: "why.time" },
];

/** The ranked records with what each part adds. */
export function rankedItems({ documents }: Explained, language: Language): HTMLLIElement[] {
  return documents.map((record) => {
    const said = parts.map(({ part, key }) => language.say("demo.part", { part: language.say(key), share: record.shares[part].toFixed(3) }));
    const stack = h("div", { class: "stack", "aria-hidden": "true" });
    for (const { part } of parts) {
      const bar = h("span", { class: part });
      bar.style.setProperty("--share", String(Math.min(1, Math.max(0, record.shares[part]))));
      stack.append(bar);
    }
    const { meaning, words, time } = record.shares;
    const heading = h("div", {}, h("strong", { dir: "auto", "data-record": true }, record.title), ...(record.date === null ? [] : [` (${record.date})`]));
    return h("li", {}, heading, stack, h("div", { class: "parts" }, `${(meaning + words + time).toFixed(3)} = ${said.join(" + ")}`));
  });
}
