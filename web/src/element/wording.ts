import type { FailureReport } from "../failure";
import type { Key, Language } from "../language/table";
import type { BackendChoice, Found, Progress } from "../protocol";
import { conditions } from "../session/filter";
import type { Notice, Phase, SessionState } from "../session/state";
import { formatBytes, formatMillis } from "../text/format";
import { MAX_QUERY_UNITS } from "../text/query";

/** A download larger than this is announced with its size, in bytes. */
const LARGE_DOWNLOAD_BYTES = 10_000_000;

/** The one sentence the live region holds. */
export function statusText(state: SessionState, language: Language): string {
  const { phase } = state;
  switch (phase.name) {
    case "idle":
      return language.say("status.idle");
    case "loading":
      return stepText(phase.progress, language);
    case "ready":
      return state.ask.like === null ? readyText(state, language) : language.say("like.waits");
    case "searching":
      return language.say("status.searching");
    case "results":
      return phase.partial ? language.say("status.searching") : foundText(phase, state, language);
    case "no-match":
      return language.say(noMatchKey(phase, state));
    case "failed":
      return "";
  }
}

/** What is being done while loading. */
export function stepText(progress: Progress, language: Language): string {
  return language.say(`step.${progress.step}`);
}

function readyText({ info, meaning }: SessionState, language: Language): string {
  const records = language.counted("records", info?.documents ?? 0);
  if (meaning.name === "ready") return language.say("status.ready", { records });
  if (meaning.name !== "loading") return language.say("status.ready.words", { records });
  const large = meaning.bytes > LARGE_DOWNLOAD_BYTES;
  return language.say(large ? "status.ready.coming.sized" : "status.ready.coming", { records, size: formatBytes(meaning.bytes) });
}

function foundText(phase: Phase & { name: "results" }, state: SessionState, language: Language): string {
  const values = {
    results: language.counted("results", phase.found.documents.length),
    records: language.counted("records", phase.found.matching),
    time: formatMillis(phase.millis),
  };
  if (state.ask.like !== null) return language.say(conditions(state.ask.filter) > 0 ? "status.like.filtered" : "status.like", values);
  if (phase.nearest) return language.say("status.nearest", values);
  if (state.ask.query === "") return language.say("status.browsed", values);
  const key = phase.found.stage === "words" ? "status.found.words" : "status.found";
  return language.say(conditions(state.ask.filter) > 0 ? `${key}.filtered` : key, values);
}

/** The text of the button that shows more. */
export function moreText({ documents, ranked, far }: Found, language: Language): string {
  if (documents.length >= ranked) return language.say("results.far", { count: language.count(far) });
  return language.say("results.more", { shown: language.count(documents.length), ranked: language.count(ranked) });
}

function noMatchKey({ found }: Phase & { name: "no-match" }, { ask, meaning }: SessionState): Key {
  if (found.matching === 0 && conditions(ask.filter) > 0) return "status.none.filtered";
  if (found.stage === "words") return meaning.name === "loading" ? "status.none.coming" : "status.none.words";
  return found.best === null ? "status.empty" : "status.none";
}

/** The progress bar's caption; empty until sizes are known. */
export function progressText(progress: Progress, language: Language): string {
  if (progress.total === 0) return "";
  return language.say("progress.bytes", { received: formatBytes(progress.received), total: formatBytes(progress.total) });
}

/** Something about the question as it was read. */
export function noticeText(notice: Notice, language: Language): string {
  switch (notice.about) {
    case "shortened":
      return language.say("notice.shortened", { count: language.count(MAX_QUERY_UNITS) });
    case "facet":
      return language.say("notice.facet", { value: notice.value });
    case "year":
    case "season":
    case "like":
      return language.say(`notice.${notice.about}`, { value: notice.value });
  }
}

/** A failure's headline. */
export function failureTitle(failure: FailureReport, language: Language): string {
  switch (failure.code) {
    case "network":
    case "corrupt":
    case "incompatible":
    case "unsupported":
    case "out_of_memory":
    case "storage":
      return language.say(`failed.${failure.code}`);
    default:
      return language.say("failed.other");
  }
}

/** A failure's reason as a sentence. */
export function failureText(failure: FailureReport, language: Language): string {
  const { message, file } = failure;
  if (file !== undefined) {
    return message.startsWith(file) ? language.say("failed.file.named", { message }) : language.say("failed.file", { file, message });
  }
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

/** The start of the small line on where queries are encoded; the reason follows it. */
export function backendText(choice: BackendChoice, language: Language): string {
  if (choice.chosen === "cpu") return language.say("backend.cpu");
  return language.say(choice.adapter?.fallback === true ? "backend.gpu.software" : "backend.gpu");
}
