const units = ["bytes", "kB", "MB", "GB"] as const;

/** Bytes for people, decimal units, as in "24.3 MB". */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit] ?? ""}`;
}

/** A whole number with thousands separated, as in "28,258". */
export function formatCount(count: number): string {
  return count.toLocaleString("en-GB");
}

/** Milliseconds for people, as in "31 ms" or "11.2 s". */
export function formatMillis(millis: number): string {
  return millis < 1000 ? `${Math.round(millis)} ms` : `${(millis / 1000).toFixed(1)} s`;
}

/** A counted noun, as in "1 result" or "12 results". */
export function formatNoun(count: number, singular: string): string {
  return `${formatCount(count)} ${singular}${count === 1 ? "" : "s"}`;
}
