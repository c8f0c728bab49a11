import type { Progress, Step } from "../protocol";

/**
 * Adds up a download whose size is known from manifests, never from headers:
 * a host that compresses on the fly would make the bar lie.
 */
export class ProgressMeter {
  #received = 0;
  #total = 0;
  #step: Step = "program";
  #lastSent = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly send: (progress: Progress) => void,
    private readonly now: () => number = () => performance.now(),
    /** Shortest time between two reports, in milliseconds. */
    private readonly interval = 100,
  ) {}

  /** Names what is happening now. */
  step(step: Step): void {
    this.#step = step;
    this.#report(true);
  }

  /** Announces bytes that will come. */
  expect(bytes: number): void {
    this.#total += bytes;
    this.#report(true);
  }

  /** Counts bytes that came; negative takes back those of a file that is started again. */
  add(bytes: number): void {
    this.#received += bytes;
    this.#report(this.#received >= this.#total);
  }

  #report(force: boolean): void {
    const now = this.now();
    if (!force && now - this.#lastSent < this.interval) return;
    this.#lastSent = now;
    this.send({ received: Math.min(this.#received, this.#total), total: this.#total, step: this.#step });
  }
}
