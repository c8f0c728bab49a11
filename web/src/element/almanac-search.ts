import { startWorker } from "../client/start";
import type { IndexInfo } from "../door";
import type { BackendChoice, BackendWish, Downloads } from "../protocol";
import { backendMemory } from "../session/memory";
import { SearchSession } from "../session/session";
import { initialState, type PhaseName, type SessionState } from "../session/state";
import { isWriting, moveFocus } from "./keyboard";
import { resultItem } from "./results";
import { styles } from "./styles";
import { backendText, failureText, failureTitle, progressText, statusText } from "./wording";
import { h } from "./dom";

/** Results shown when the `results` attribute does not say. */
const DEFAULT_RESULTS = 10;

/** Most results the `results` attribute may ask for. */
const MAX_RESULTS = 100;

/**
 * A search box over a static index, `<almanac-search index="./index/" model="./model/">`.
 *
 * Attributes: `index` and `model` are folders, relative to the page; `autoload`
 * starts the download at once instead of on first use; `backend` is `auto`,
 * `cpu` or `gpu` (the page's own `?backend=` wins); `results` is how many to
 * show; `label` and `placeholder` are texts; `remote-images` lets thumbnails
 * come from other sites.
 *
 * Events, all bubbling: `almanac-state`, `almanac-backend`, `almanac-results`.
 */
export class AlmanacSearch extends HTMLElement {
  static readonly observedAttributes = ["label", "placeholder"];

  readonly #label = h("label", { for: "query", part: "label" });
  readonly #input = h("input", {
    id: "query",
    type: "search",
    name: "query",
    part: "input",
    autocomplete: "off",
    autocapitalize: "off",
    enterkeyhint: "search",
    "aria-describedby": "status",
  });
  readonly #status = h("p", { id: "status", class: "status", part: "status", role: "status", "aria-live": "polite" });
  readonly #notice = h("p", { class: "notice", part: "notice", role: "status", hidden: true });
  readonly #bar = h("progress", { "aria-label": "Download", part: "progress" });
  readonly #barText = h("span");
  readonly #progress = h("div", { class: "progress", hidden: true }, this.#bar, this.#barText);
  readonly #failureTitle = h("strong");
  readonly #failureReason = h("span");
  readonly #retry = h("button", { type: "button", part: "retry" }, "Retry");
  readonly #failure = h(
    "div",
    { class: "failure", part: "failure", role: "alert", hidden: true },
    h("p", {}, this.#failureTitle, this.#failureReason),
    this.#retry,
  );
  readonly #nearestButton = h("button", { type: "button", class: "quiet", part: "nearest" }, "Show the nearest anyway");
  readonly #nearest = h("p", { class: "nearest", hidden: true }, this.#nearestButton);
  readonly #list = h("ol", { part: "results", role: "list" });
  readonly #results = h("section", { "aria-label": "Results", hidden: true }, h("h2", { class: "hidden-text" }, "Results"), this.#list);
  readonly #backend = h("p", { class: "backend", part: "backend", hidden: true });

  #session: SearchSession | null = null;
  #shown: SessionState = initialState;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    root.adoptedStyleSheets = [sheet];
    const form = h(
      "form",
      { role: "search", part: "form" },
      this.#label,
      h("div", { class: "bar" }, this.#input, h("button", { type: "submit", part: "button" }, "Search")),
    );
    root.append(form, this.#status, this.#notice, this.#progress, this.#failure, this.#nearest, this.#results, this.#backend);

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#session?.submit(this.#input.value);
    });
    this.#input.addEventListener("focus", () => this.#session?.load());
    this.#input.addEventListener("input", () => this.#session?.type(this.#input.value));
    this.#retry.addEventListener("click", () => {
      this.#session?.retry();
      this.#input.focus();
    });
    this.#nearestButton.addEventListener("click", () => {
      this.#session?.submit(this.#input.value, true);
      this.#input.focus();
    });
    root.addEventListener("keydown", (event) => this.#key(event as KeyboardEvent));
  }

  connectedCallback(): void {
    this.attributeChangedCallback();
    this.#session = new SearchSession({
      startWorker,
      site: () => ({ model: this.#folder("model"), index: this.#folder("index"), backend: this.#wish() }),
      results: () => this.#resultCount(),
      memory: backendMemory(() => localStorage, navigator.userAgent, this.#folder("model")),
      onChange: (state) => this.#draw(state),
    });
    this.#draw(this.#session.state);
    document.addEventListener("keydown", this.#slash);
    if (this.hasAttribute("autoload")) this.#session.load();
  }

  disconnectedCallback(): void {
    document.removeEventListener("keydown", this.#slash);
    this.#session?.close();
    this.#session = null;
  }

  attributeChangedCallback(): void {
    this.#label.textContent = this.getAttribute("label") ?? "Search the collection";
    this.#input.placeholder = this.getAttribute("placeholder") ?? "";
  }

  /** What the element is doing. */
  get state(): PhaseName {
    return this.#shown.phase.name;
  }

  /** Which backend encodes queries and why; null until the index is loaded. */
  get backend(): BackendChoice | null {
    return this.#shown.backend;
  }

  /** What the index says of itself; null until it is loaded. */
  get info(): IndexInfo | null {
    return this.#shown.info;
  }

  /** Bytes downloaded so far; null until the index is loaded. */
  get downloads(): Downloads | null {
    return this.#shown.downloads;
  }

  /** Starts the download without waiting for the first use. */
  load(): void {
    this.#session?.load();
  }

  /** Puts `query` in the box and searches for it. */
  search(query: string): void {
    this.#input.value = query;
    this.#session?.submit(query);
  }

  override focus(options?: FocusOptions): void {
    this.#input.focus(options);
  }

  readonly #slash = (event: KeyboardEvent): void => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.composedPath())) return;
    event.preventDefault();
    this.#input.focus();
    this.#input.select();
  };

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      this.#input.value = "";
      this.#session?.clear();
      this.#input.focus();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const titles = [...this.#list.querySelectorAll<HTMLElement>("[data-title]")];
      const moved = moveFocus(this.#input, titles, this.shadowRoot?.activeElement ?? null, event.key === "ArrowDown" ? 1 : -1);
      if (moved) event.preventDefault();
    }
  }

  #folder(name: "model" | "index"): string {
    const given = this.getAttribute(name) ?? `./${name}/`;
    return new URL(given.endsWith("/") ? given : `${given}/`, this.baseURI).href;
  }

  #wish(): BackendWish {
    const wish = new URLSearchParams(location.search).get("backend") ?? this.getAttribute("backend");
    return wish === "cpu" || wish === "gpu" ? wish : "auto";
  }

  #resultCount(): number {
    const asked = Number.parseInt(this.getAttribute("results") ?? "", 10);
    return Number.isNaN(asked) ? DEFAULT_RESULTS : Math.min(MAX_RESULTS, Math.max(1, asked));
  }

  #draw(state: SessionState): void {
    const before = this.#shown;
    this.#shown = state;
    const { phase } = state;

    setText(this.#status, statusText(state));
    setText(this.#notice, state.notice ?? "");
    this.#notice.hidden = state.notice === null;

    this.#progress.hidden = phase.name !== "loading";
    if (phase.name === "loading") {
      const { received, total } = phase.progress;
      if (total === 0) this.#bar.removeAttribute("value");
      else Object.assign(this.#bar, { max: total, value: received });
      setText(this.#barText, progressText(phase.progress));
    }

    this.#failure.hidden = phase.name !== "failed";
    if (phase.name === "failed") {
      setText(this.#failureTitle, failureTitle(phase.failure));
      setText(this.#failureReason, failureText(phase.failure));
    }

    this.#nearest.hidden = phase.name !== "no-match" || phase.found.best === null;
    this.#drawResults(before, state);

    this.#backend.hidden = state.backend === null;
    if (state.backend !== null) setText(this.#backend, backendText(state.backend));

    if (before.phase.name !== phase.name) this.#tell("almanac-state", { state: phase.name });
    if (before.backend !== state.backend) this.#tell("almanac-backend", state.backend);
  }

  /** Earlier results stay while the next search runs, so that the page does not jump. */
  #drawResults(before: SessionState, state: SessionState): void {
    const { phase } = state;
    this.#results.setAttribute("aria-busy", String(phase.name === "searching"));
    if (phase.name === "searching") return;
    this.#results.hidden = phase.name !== "results";
    if (phase.name !== "results") return this.#list.replaceChildren();
    if (before.phase.name === "results" && before.phase.found === phase.found) return;
    const options = { base: this.baseURI, remoteImages: this.hasAttribute("remote-images") };
    this.#list.replaceChildren(...phase.found.documents.map((found) => resultItem(found, options)));
    this.#tell("almanac-results", phase.found);
  }

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

/** Leaves a live region alone unless its words change, so that nothing is read twice. */
function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

if (customElements.get("almanac-search") === undefined) customElements.define("almanac-search", AlmanacSearch);

declare global {
  interface HTMLElementTagNameMap {
    "almanac-search": AlmanacSearch;
  }
}
