/** A whole number from the environment, or the default. */
export function numberFrom(name: string, fallback: number): number {
  const given = Number.parseInt(process.env[name] ?? "", 10);
  return Number.isNaN(given) ? fallback : given;
}
