import type { Language } from "../language/table";
import type { SessionState } from "../session/state";
import { h, setText } from "./dom";
import { failureText, failureTitle } from "./wording";

/** What went wrong, with a way to try again. */
export class FailureView {
  readonly #title = h("strong");
  // The reason is told by the programs themselves, in English.
  readonly #reason = h("span", { lang: "en" });
  readonly #still = h("span", { class: "still" });
  readonly #retry = h("button", { type: "button", part: "retry" });
  readonly node = h(
    "div",
    { class: "failure", part: "failure", role: "alert", hidden: true },
    h("p", {}, this.#title, this.#reason, " ", this.#still),
    this.#retry,
  );

  constructor(onRetry: () => void) {
    this.#retry.addEventListener("click", onRetry);
  }

  /** Shows the failure of a state, or nothing. */
  draw({ phase, meaning }: SessionState, language: Language): void {
    const failed = phase.name === "failed" ? phase : meaning.name === "failed" ? meaning : null;
    this.node.hidden = failed === null;
    setText(this.#title, failed === null ? "" : failureTitle(failed.failure, language));
    setText(this.#reason, failed === null ? "" : failureText(failed.failure, language));
    setText(this.#still, failed !== null && failed !== phase ? language.say("failed.meaning") : "");
    setText(this.#retry, language.say("box.retry"));
  }
}
