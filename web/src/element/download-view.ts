import type { Language } from "../language/table";
import type { SessionState } from "../session/state";
import { formatBytes } from "../text/format";
import { h, setText } from "./dom";
import { progressText, stepText } from "./wording";

/** How far a download is, and the button that starts the larger one where data is saved. */
export class DownloadView {
  readonly #bar = h("progress", { part: "progress" });
  readonly #step = h("span");
  readonly #bytes = h("span", { class: "number" });
  readonly #progress = h("div", { class: "progress", hidden: true }, this.#bar, this.#step, this.#bytes);
  readonly #offer = h("button", { type: "button", class: "quiet", part: "meaning-offer", hidden: true });
  readonly node = h("div", { class: "download" }, this.#progress, this.#offer);

  constructor(onAccept: () => void) {
    this.#offer.addEventListener("click", onAccept);
  }

  /** Shows the download of a state, or nothing. */
  draw({ phase, meaning }: SessionState, language: Language): void {
    const under = phase.name === "loading" ? phase : meaning.name === "loading" && phase.name !== "failed" ? meaning : null;
    this.#progress.hidden = under === null;
    this.#bar.setAttribute("aria-label", language.say("box.download"));
    if (under !== null) {
      const { received, total } = under.progress;
      if (total === 0) this.#bar.removeAttribute("value");
      else Object.assign(this.#bar, { max: total, value: received });
      // The status line already names the first stage's steps.
      setText(this.#step, under === meaning ? stepText(under.progress, language) : "");
      setText(this.#bytes, progressText(under.progress, language));
    }
    this.#offer.hidden = meaning.name !== "offered";
    if (meaning.name === "offered") setText(this.#offer, language.say("meaning.offer", { size: formatBytes(meaning.bytes) }));
  }
}
