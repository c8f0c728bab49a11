import { axisNodes } from "../element/axis";
import { h, svg } from "../element/dom";
import type { Language } from "../language/table";
import { bumpOf, density, type DaySpan } from "../timeline/density";
import { closed, wholeView } from "../timeline/view";

/** Parts into which a time axis is divided. */
const COLUMNS = 480;

/** Height of a drawing, in the units of its own. */
const HEIGHT = 100;

/** How many times the lower curve's height is drawn: a day among centuries would leave nothing else to see. */
const CUT = 4;

/** Numbers as bars up and down from a middle line; `second` are drawn behind the first, in another color. */
export function bars(numbers: readonly number[], label: string, second: readonly number[] = []): SVGSVGElement {
  const most = Math.max(...[...numbers, ...second].map(Math.abs), Number.MIN_VALUE);
  const path = (values: readonly number[], kind: string): SVGPathElement => {
    const bar = (value: number, at: number): string => `M${at} 0h.8v${((-value / most) * (HEIGHT / 2)).toFixed(2)}h-.8z`;
    return svg("path", { class: kind, d: values.map(bar).join("") });
  };
  const node = svg("svg", { class: "bars", role: "img", "aria-label": label, preserveAspectRatio: "none", viewBox: `0 ${-HEIGHT / 2} ${Math.max(1, numbers.length)} ${HEIGHT}` });
  node.append(svg("line", { x1: "0", x2: String(numbers.length), y1: "0", y2: "0" }), ...(second.length === 0 ? [] : [path(second, "second")]), path(numbers, "first"));
  return node;
}

/** What the curves of a question and a record have in common. */
export interface Curves {
  node: HTMLElement;
  /** The area under both, 0 to 1. */
  common: number;
  /** Whether the higher curve is cut off at the top. */
  cut: boolean;
}

/** The times of a question and of a record as normal distributions on one axis, with the area under both shaded; null where neither end of one is known. */
export function curves(asked: readonly DaySpan[], held: readonly DaySpan[], label: string, language: Language): Curves | null {
  const whole = wholeView([...asked, ...held], { from: null, to: null });
  if (whole === null) return null;
  const sum = (spans: readonly DaySpan[]): Float64Array => {
    const known = closed(spans, whole);
    // Several dates share the area of one, so that two curves can be compared.
    return density(known.map(bumpOf), whole, COLUMNS).map((value) => value / Math.max(1, known.length));
  };
  const [one, other] = [sum(asked), sum(held)];
  const common = one.map((value, at) => Math.min(value, other[at] ?? 0));
  const peaks = [Math.max(...one), Math.max(...other)];
  const highest = Math.min(Math.max(...peaks), CUT * Math.min(...peaks));
  const outline = (values: Float64Array): string => {
    const points = [...values].map((value, at) => `L${at + 0.5} ${(HEIGHT * (1 - Math.min(1, value / highest))).toFixed(2)}`);
    return `M0 ${HEIGHT}${points.join("")}L${COLUMNS} ${HEIGHT}Z`;
  };
  const drawing = svg("svg", { class: "curves", role: "img", "aria-label": label, preserveAspectRatio: "none", viewBox: `0 -2 ${COLUMNS} ${HEIGHT + 2}` });
  for (const [kind, values] of [["common", common], ["asked", one], ["held", other]] as const) drawing.append(svg("path", { class: kind, d: outline(values) }));
  const node = h("div", { dir: "ltr" });
  node.append(drawing, h("div", { class: "time-axis", "aria-hidden": "true" }, ...axisNodes(whole, language)));
  return { node, common: common.reduce((total, value) => total + value, 0), cut: Math.max(...peaks) > highest };
}
