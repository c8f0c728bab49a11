import { YEAR_DAYS } from "./terms";

/** A part of the year as center and length, in days from the start of the year. */
export type Arc = readonly [center: number, length: number];

/** Beyond this many deviations a bump adds less than a pixel can show. */
const REACH = 4;

/**
 * The sum of the parts of the year at the middles of `columns` equal parts of the circle, per column.
 *
 * Each is the normal distribution with the mean and variance of its days, L²/12 for a length L, laid
 * round the circle; every one has area 1, and none is drawn narrower than a column.
 */
export function ring(arcs: readonly Arc[], columns: number): Float64Array {
  const sums = new Float64Array(columns);
  const width = YEAR_DAYS / columns;
  for (const [center, length] of arcs) {
    const spread = Math.max(length / Math.sqrt(12), width);
    const height = width / (spread * Math.sqrt(2 * Math.PI));
    const reach = Math.ceil((REACH * spread) / width);
    const middle = Math.floor(center / width);
    // What reaches round the whole year meets itself, and adds up there.
    for (let column = middle - reach; column <= middle + reach; column += 1) {
      const away = ((column + 0.5) * width - center) / spread;
      const at = ((column % columns) + columns) % columns;
      sums[at] = (sums[at] ?? 0) + height * Math.exp((-away * away) / 2);
    }
  }
  return sums;
}

/** A point of the circle: January 1 at the top, the year clockwise. */
export function pointAt(day: number, radius: number): { x: number; y: number } {
  const angle = (day / YEAR_DAYS) * 2 * Math.PI;
  return { x: radius * Math.sin(angle), y: -radius * Math.cos(angle) };
}

/** The place of the year at which a point lies, 0 to a year. */
export function dayAt(x: number, y: number): number {
  const turn = Math.atan2(x, -y) / (2 * Math.PI);
  return (turn < 0 ? turn + 1 : turn) * YEAR_DAYS;
}

/** The outline of sums round a circle, the highest reaching from `inner` to `outer`. */
export function ringPath(sums: Float64Array, inner: number, outer: number): string {
  const highest = Math.max(...sums, Number.MIN_VALUE);
  const points = [...sums].map((sum, at) => {
    const { x, y } = pointAt(((at + 0.5) / sums.length) * YEAR_DAYS, inner + (outer - inner) * (sum / highest));
    return `${x.toFixed(2)} ${y.toFixed(2)}`;
  });
  // The inner circle, drawn the other way round, is left out of the area.
  return `M${points.join("L")}ZM0 ${-inner}A${inner} ${inner} 0 1 0 0 ${inner}A${inner} ${inner} 0 1 0 0 ${-inner}Z`;
}

/** The outline of a sector from one place of the year to another, clockwise. */
export function sectorPath(first: number, end: number, inner: number, outer: number): string {
  const length = (((end - first) % YEAR_DAYS) + YEAR_DAYS) % YEAR_DAYS || YEAR_DAYS;
  const large = length > YEAR_DAYS / 2 ? 1 : 0;
  // A whole circle would begin and end at one point, which draws nothing.
  const last = first + Math.min(length, YEAR_DAYS - 0.01);
  const [a, b, c, d] = [pointAt(first, outer), pointAt(last, outer), pointAt(last, inner), pointAt(first, inner)];
  const at = ({ x, y }: { x: number; y: number }): string => `${x.toFixed(2)} ${y.toFixed(2)}`;
  return `M${at(a)}A${outer} ${outer} 0 ${large} 1 ${at(b)}L${at(c)}A${inner} ${inner} 0 ${large} 0 ${at(d)}Z`;
}
