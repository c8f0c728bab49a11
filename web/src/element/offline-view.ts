import type { Language } from "../language/table";
import type { SessionState } from "../session/state";
import { formatBytes } from "../text/format";
import { h, setText } from "./dom";
import { progressText, stepText } from "./wording";

/** What is kept for use without a network, the button that keeps the rest, and word of a new version. */
export class OfflineView {
  readonly #bar = h("progress", { part: "keep-progress" });
  readonly #step = h("span");
  readonly #bytes = h("span", { class: "number" });
  readonly #progress = h("div", { class: "keeping", hidden: true }, this.#bar, this.#step, this.#bytes);
  readonly #keep = h("button", { type: "button", class: "quiet small", part: "keep", hidden: true });
  readonly #said = h("p", { class: "note", part: "kept", role: "status" });
  readonly #news = h("span");
  readonly #reload = h("button", { type: "button", class: "small", part: "reload" });
  readonly #update = h("p", { class: "update", part: "update", role: "status", hidden: true }, this.#news, " ", this.#reload);
  readonly node = h("div", { class: "offline", hidden: true }, this.#update, this.#keep, this.#progress, this.#said);

  constructor(onKeep: () => void, onReload: () => void) {
    this.#keep.addEventListener("click", onKeep);
    this.#reload.addEventListener("click", onReload);
  }

  /** Shows how far it is; `meant` says whether the page means to work without a network, `updated` whether a new version waits. */
  draw({ keeping, meaning }: SessionState, meant: boolean, updated: boolean, language: Language): void {
    this.node.hidden = !meant;
    if (!meant) return;
    this.#update.hidden = !updated;
    setText(this.#news, updated ? language.say("offline.update") : "");
    setText(this.#reload, language.say("offline.reload"));
    // While the model is on its way, what is still to come is not yet what has to be asked for.
    const offered = (keeping.name === "offered" && meaning.name !== "loading") || keeping.name === "failed";
    this.#keep.hidden = !offered;
    if (offered) setText(this.#keep, language.say("offline.offer", { size: formatBytes(keeping.bytes) }));
    this.#progress.hidden = keeping.name !== "running";
    this.#bar.setAttribute("aria-label", language.say("box.download"));
    if (keeping.name === "running") {
      const { received, total } = keeping.progress;
      if (total === 0) this.#bar.removeAttribute("value");
      else Object.assign(this.#bar, { max: total, value: received });
      setText(this.#step, stepText(keeping.progress, language));
      setText(this.#bytes, progressText(keeping.progress, language));
    }
    setText(this.#said, this.#sentence(keeping, language));
  }

  #sentence(keeping: SessionState["keeping"], language: Language): string {
    if (keeping.name === "kept") return language.say("offline.kept");
    return keeping.name === "failed" ? language.say("offline.failed", { reason: keeping.failure.message }) : "";
  }
}
