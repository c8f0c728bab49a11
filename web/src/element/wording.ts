import type { FailureReport } from "../failure";
import type { BackendChoice, Progress } from "../protocol";
import type { SessionState } from "../session/state";
import { formatBytes, formatMillis, formatNoun } from "../text/format";

/** The one sentence the live region holds. */
export function statusText(state: SessionState): string {
  const { phase, info } = state;
  switch (phase.name) {
    case "idle":
      return "The search is downloaded when you first use it.";
    case "loading":
      return `${phase.progress.step}…`;
    case "ready":
      return info === null ? "Ready." : `Ready: ${formatNoun(info.documents, "record")}, searched on this device.`;
    case "searching":
      return "Searching…";
    case "results": {
      const count = formatNoun(phase.found.documents.length, "result");
      const time = formatMillis(phase.millis);
      return phase.nearest ? `No close match; the ${count} nearest in meaning, found in ${time}.` : `${count}, found in ${time}.`;
    }
    case "no-match":
      return phase.found.best === null ? "The index is empty." : "No close match: nothing here is near that in meaning.";
    case "failed":
      return "";
  }
}

/** The progress bar's caption; empty until sizes are known. */
export function progressText(progress: Progress): string {
  return progress.total === 0 ? "" : `${formatBytes(progress.received)} of ${formatBytes(progress.total)}`;
}

/** A failure's headline. */
export function failureTitle(failure: FailureReport): string {
  switch (failure.code) {
    case "network":
      return "A file could not be downloaded.";
    case "corrupt":
      return "A downloaded file is damaged.";
    case "incompatible":
      return "This index and this model do not fit together.";
    case "unsupported":
      return "This search cannot run here.";
    case "out_of_memory":
      return "There is not enough memory for this search.";
    default:
      return "The search stopped.";
  }
}

/** A failure's reason as a sentence. */
export function failureText(failure: FailureReport): string {
  const { message, file } = failure;
  if (file !== undefined) return message.startsWith(file) ? `The file ${message}.` : `The file ${file}: ${message}.`;
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

/** The small line on where queries are encoded, and why there. */
export function backendText(choice: BackendChoice): string {
  const where = choice.chosen === "gpu" ? "the GPU" : "the CPU";
  const software = choice.chosen === "gpu" && choice.adapter?.fallback === true ? " (software adapter)" : "";
  return `Queries are encoded on ${where}${software}: ${choice.reason}.`;
}

