/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** A row of a plain table: median, best and count. */
export function summary(name: string, millis: readonly number[]): string {
  const best = Math.min(...millis);
  return `${name.padEnd(34)} median ${median(millis).toFixed(1).padStart(9)} ms   best ${best.toFixed(1).padStart(9)} ms   n ${millis.length}`;
}
