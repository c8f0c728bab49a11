import { Failure, reportOf } from "../failure";

/** Runs `work`, naming `file` in whatever it throws. */
export function naming<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw new Failure(reportOf(thrown, file));
  }
}
