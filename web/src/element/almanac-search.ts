import { Persistence, Service } from "../client/service";
import { startWorker } from "../client/start";
import type { IndexInfo, Weights } from "../door";
import { english } from "../language/choose";
import type { Language } from "../language/table";
import type { BackendChoice, BackendWish, Downloads, Explained, Found, FoundDocument, Stage } from "../protocol";
import { backendMemory } from "../session/memory";
import type { FilterChoice } from "../session/filter";
import { SearchSession } from "../session/session";
import { initialState, type PhaseName, type SessionState } from "../session/state";
import { isoDay } from "../text/days";
import { spanText } from "./dates";
import { SeasonDial } from "./dial";
import { DownloadView } from "./download-view";
import { h, setText } from "./dom";
import { ExportView } from "./exports";
import { FailureView } from "./failure-view";
import { FilterPanel } from "./filters";
import { AddressBar } from "./history";
import { isWriting, moveFocus } from "./keyboard";
import { LanguageSource } from "./language-source";
import { LikeView } from "./like-view";
import { ResultList } from "./list";
import { OfflineView } from "./offline-view";
import { ReadingsView } from "./readings";
import type { ResultContext } from "./results";
import { styles } from "./styles";
import { Timeline } from "./timeline";
import { backendText, moreText, noticeText, statusText } from "./wording";

/** Results shown when the `results` attribute does not say. */
const DEFAULT_RESULTS = 10;

/** Most results the `results` attribute may ask for. */
const MAX_RESULTS = 100;

/**
 * A search box over a static index, `<almanac-search index="./index/" model="./model/">`.
 *
 * Attributes: `index` and `model` are folders, relative to the page; `autoload`
 * starts the download at once instead of on first use; `words-only` leaves the
 * model until the visitor asks for it, as a browser that saves data does;
 * `address` keeps query and filters in the page's address; `backend` is `auto`,
 * `cpu` or `gpu` (the page's own `?backend=` wins); `results` is how many to
 * show; `lang` is the interface's language (else the page's), `strings` a JSON
 * file with its sentences; `offline` is the service worker that keeps the page; `label` and `placeholder` are texts; `remote-images`
 * lets thumbnails come from other sites.
 *
 * Events, all bubbling: `almanac-state`, `almanac-stage`, `almanac-backend`, `almanac-results`.
 */
export class AlmanacSearch extends HTMLElement {
  static readonly observedAttributes = ["label", "placeholder", "lang", "strings"];

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
  readonly #submit = h("button", { type: "submit", part: "button" });
  readonly #readings = new ReadingsView((time) => {
    this.#session?.readDates(time);
    this.#keepAddress("asked");
  });
  readonly #like = new LikeView(() => {
    this.#session?.unlike();
    this.#keepAddress("asked");
    this.#input.focus();
  });
  // Below the list: what comes and goes above it would move what is being read.
  readonly #likeReason = h("p", { id: "like-reason", class: "note", part: "like-reason", hidden: true });
  readonly #filters = new FilterPanel((filter) => this.#filter(filter));
  readonly #status = h("p", { id: "status", class: "status", part: "status", role: "status", "aria-live": "polite" });
  readonly #notice = h("p", { class: "notice", part: "notice", role: "status", hidden: true });
  readonly #download = new DownloadView(() => {
    this.#session?.deepen();
    this.#input.focus();
  });
  readonly #offline = new OfflineView(
    () => this.#session?.keep(),
    () => this.#service.update(),
  );
  readonly #service = new Service(
    navigator.serviceWorker as ServiceWorkerContainer | undefined,
    () => {
      this.#updated = true;
      this.#draw(this.#shown);
    },
    () => location.reload(),
  );
  readonly #persistence = new Persistence(navigator.storage as StorageManager | undefined);
  readonly #failure = new FailureView(() => {
    this.#session?.retry();
    this.#input.focus();
  });
  readonly #nearestButton = h("button", { type: "button", class: "quiet", part: "nearest" });
  readonly #nearest = h("p", { class: "nearest", hidden: true }, this.#nearestButton);
  readonly #list = new ResultList(this.#input);
  readonly #resultsTitle = h("h2", { class: "hidden-text" });
  readonly #timeline = new Timeline((years) => this.#filter({ ...this.#shown.ask.filter, ...years }));
  readonly #dial = new SeasonDial((season) => this.#filter({ ...this.#shown.ask.filter, season }));
  readonly #exports = new ExportView(() => ({
    documents: this.#found?.documents ?? [],
    query: this.#shown.ask.query,
    collection: this.#shown.info?.title ?? "",
  }));
  readonly #more = h("button", { type: "button", class: "quiet", part: "more-results", hidden: true });
  readonly #results = h("section", { hidden: true }, this.#timeline.node, this.#dial.node, this.#resultsTitle, this.#list.node, this.#likeReason, this.#more, this.#exports.node);
  readonly #backendWhere = h("span");
  // The reason is told by the worker, in English.
  readonly #backendReason = h("span", { lang: "en" });
  readonly #backend = h("p", { class: "backend", part: "backend", hidden: true }, this.#backendWhere, " ", this.#backendReason);
  readonly #frame = h("div", { class: "frame" });

  #session: SearchSession | null = null;
  #address: AddressBar | null = null;
  #language: Language = english;
  #languageFault: string | null = null;
  readonly #languages = new LanguageSource((language, fault) => this.#speak(language, fault));
  #shown: SessionState = initialState;
  #found: Found | null = null;
  /** Place in the list that takes the focus when what was asked for besides arrives; null when nothing was. */
  #firstNew: number | null = null;
  /** What the record is called whose like is shown, as far as is known. */
  #likeTitle: { id: string; title: string } | null = null;
  #served = false;
  /** A new version of the page waits. */
  #updated = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    root.adoptedStyleSheets = [sheet];
    const form = h("form", { role: "search", part: "form" }, this.#label, h("div", { class: "bar" }, this.#input, this.#submit));
    this.#frame.append(
      form,
      this.#readings.node,
      this.#like.node,
      this.#filters.node,
      this.#status,
      this.#notice,
      this.#download.node,
      this.#failure.node,
      this.#nearest,
      this.#results,
      this.#offline.node,
      this.#backend,
    );
    root.append(this.#frame);

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#session?.submit(this.#input.value);
      this.#keepAddress("asked");
    });
    this.#input.addEventListener("focus", () => this.#session?.load());
    this.#input.addEventListener("input", (event) => {
      // Half a character on its way through an input method is no query yet.
      if (!(event as InputEvent).isComposing) this.#type();
    });
    this.#input.addEventListener("compositionend", () => this.#type());
    this.#nearestButton.addEventListener("click", () => {
      this.#session?.submit(this.#input.value, true);
      this.#input.focus();
    });
    this.#more.addEventListener("click", () => {
      this.#firstNew = this.#list.titles.length;
      if ((this.#found?.documents.length ?? 0) < (this.#found?.ranked ?? 0)) this.#session?.more();
      else this.#session?.further();
    });
    root.addEventListener("keydown", (event) => this.#key(event as KeyboardEvent));
  }

  connectedCallback(): void {
    this.#session = new SearchSession({
      startWorker,
      site: () => ({ model: this.#folder("model"), index: this.#folder("index"), backend: this.#wish() }),
      results: () => this.#resultCount(),
      today: () => isoDay(new Date()),
      savesData: () => this.hasAttribute("words-only") || browserSavesData(),
      memory: backendMemory(() => localStorage, navigator.userAgent, this.#folder("model")),
      onChange: (state) => this.#draw(state),
    });
    this.#chooseLanguage();
    document.addEventListener("keydown", this.#slash);
    if (this.#service.controls) this.#serve();
    if (this.hasAttribute("autoload")) this.#session.load();
    if (this.hasAttribute("address")) this.#openAddress();
  }

  disconnectedCallback(): void {
    document.removeEventListener("keydown", this.#slash);
    this.#languages.close();
    this.#timeline.close();
    this.#dial.close();
    this.#address?.close();
    this.#address = null;
    this.#session?.close();
    this.#session = null;
  }

  attributeChangedCallback(name: string): void {
    if (this.#session === null) return;
    if (name === "lang" || name === "strings") this.#chooseLanguage();
    else this.#drawBox();
  }

  /** What the element is doing. */
  get state(): PhaseName {
    return this.#shown.phase.name;
  }

  /** What a search rests on now; null while nothing can be searched. */
  get stage(): Stage | null {
    if (this.#shown.meaning.name === "unknown") return null;
    return this.#shown.meaning.name === "ready" ? "full" : "words";
  }

  /** Which backend encodes queries and why; null until the model is loaded. */
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

  /** The interface's language. */
  get language(): Language {
    return this.#language;
  }

  /** Takes the scores of a query apart, for its first `show` documents; null while meaning cannot be compared yet. */
  async explain(query: string, show: number, weights?: Weights): Promise<Explained | null> {
    return this.#session?.explain(query, show, weights) ?? null;
  }

  /** Starts the download without waiting for the first use. */
  load(): void {
    this.#session?.load();
  }

  /** Puts `query` in the box and searches for it. */
  search(query: string): void {
    this.#input.value = query;
    this.#session?.begin(query);
    this.#keepAddress("asked");
  }

  override focus(options?: FocusOptions): void {
    this.#input.focus(options);
  }

  #type(): void {
    this.#session?.type(this.#input.value);
    this.#keepAddress("typed");
  }

  #filter(filter: FilterChoice): void {
    this.#session?.filter(filter);
    this.#keepAddress("asked");
  }

  /** Starts the service worker, once. */
  #serve(): void {
    const worker = this.getAttribute("offline") ?? "";
    if (this.#served || worker.trim() === "") return;
    this.#served = true;
    void this.#service.start(new URL(worker, this.baseURI));
  }

  #openAddress(): void {
    this.#address = new AddressBar((ask, notices) => {
      this.#input.value = ask.query;
      this.#session?.restore(ask, notices);
    });
    const { ask, notices } = this.#address.open();
    this.#input.value = ask.query;
    this.#session?.restore(ask, notices);
  }

  #keepAddress(manner: "typed" | "asked"): void {
    this.#address?.keep(() => this.#shown.ask, manner);
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
      this.#keepAddress("typed");
      this.#input.focus();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const moved = moveFocus(this.#input, this.#list.titles, this.shadowRoot?.activeElement ?? null, event.key === "ArrowDown" ? 1 : -1);
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

  #chooseLanguage(): void {
    const file = this.getAttribute("strings") ?? "";
    this.#languages.choose(this, file.trim() === "" ? null : new URL(file, this.baseURI));
  }

  #speak(language: Language, fault: string | null): void {
    this.#language = language;
    this.#languageFault = fault;
    this.#frame.lang = language.tag;
    this.#drawBox();
    this.#draw(this.#session?.state ?? this.#shown, true);
    this.#tell("almanac-language", { tag: language.tag });
  }

  #drawBox(): void {
    const say = (key: "box.label" | "box.search" | "box.nearest" | "box.results"): string => this.#language.say(key);
    this.#label.textContent = this.getAttribute("label") ?? say("box.label");
    this.#input.placeholder = this.getAttribute("placeholder") ?? this.info?.examples[0] ?? "";
    this.#submit.textContent = say("box.search");
    this.#nearestButton.textContent = say("box.nearest");
    this.#results.setAttribute("aria-label", say("box.results"));
    this.#resultsTitle.textContent = say("box.results");
  }

  #draw(state: SessionState, anew = false): void {
    const before = this.#shown;
    const language = this.#language;
    this.#shown = state;
    const { phase } = state;
    this.#found = foundOf(state) ?? (phase.name === "searching" ? this.#found : null);

    setText(this.#status, statusText(state, language));
    this.#drawNotice(state);
    this.#download.draw(state, language);
    this.#failure.draw(state, language);
    // It fetches the program too, which is for the visitor to ask for first.
    if (state.info !== null) this.#serve();
    this.#offline.draw(state, this.hasAttribute("offline"), this.#updated, language);
    this.#filters.draw({ info: state.info, filter: state.ask.filter, matching: this.#found?.matching ?? null }, language);
    if (phase.name !== "searching" || anew) {
      this.#readings.draw({ understood: this.#found?.understood ?? null, time: state.ask.time }, language);
    }
    this.#nearest.hidden = phase.name !== "no-match" || phase.found.best === null;
    this.#drawLike(state);
    this.#drawResults(before, state, anew);
    this.#drawTimeline(state);

    this.#backend.hidden = state.backend === null;
    if (state.backend !== null) {
      setText(this.#backendWhere, backendText(state.backend, language));
      setText(this.#backendReason, `${state.backend.reason}.`);
    }

    if (before.info !== state.info) this.#drawBox();
    if (before.phase.name !== phase.name) this.#tell("almanac-state", { state: phase.name });
    if (before.meaning.name !== state.meaning.name) this.#tell("almanac-stage", { stage: this.stage });
    if (before.backend !== state.backend) this.#tell("almanac-backend", state.backend);
  }

  #drawNotice({ notices }: SessionState): void {
    const sentences = notices.map((notice) => noticeText(notice, this.#language));
    if (this.#languageFault !== null) sentences.push(this.#language.say("notice.strings", { reason: this.#languageFault }));
    setText(this.#notice, sentences.join(" "));
    this.#notice.hidden = sentences.length === 0;
  }

  /** Whose like is shown, and whether the like of a result can be asked for. */
  #drawLike({ ask, meaning, phase }: SessionState): void {
    const language = this.#language;
    const { like } = ask;
    const found = foundOf(this.#shown)?.like?.title;
    if (like !== null && this.#likeTitle?.id !== like.id) this.#likeTitle = { id: like.id, title: like.id };
    if (like !== null && found !== undefined && found !== null) this.#likeTitle = { id: like.id, title: found };
    this.#like.draw({ title: like === null ? null : (this.#likeTitle?.title ?? like.id), query: ask.query !== "" }, language);
    const ready = meaning.name === "ready";
    this.#likeReason.hidden = ready || phase.name !== "results";
    setText(this.#likeReason, language.say("like.reason"));
    this.#list.allowLike(ready ? null : { id: "like-reason", text: language.say("like.reason") });
  }

  #showLike({ document, id, title }: FoundDocument): void {
    this.#likeTitle = { id, title: title.trim() === "" ? id : title };
    this.#session?.like({ document, id });
    this.#keepAddress("asked");
    this.#like.focus();
  }

  /** Earlier results stay while the next search runs, so that the page does not jump. */
  #drawResults(before: SessionState, state: SessionState, anew: boolean): void {
    const { phase } = state;
    const coming = phase.name === "searching" || (phase.name === "results" && phase.partial);
    this.#results.setAttribute("aria-busy", String(coming));
    if (phase.name === "searching") return;
    this.#results.hidden = phase.name !== "results";
    if (phase.name !== "results") return this.#list.clear();
    const shown = before.phase.name === "results" && before.phase.found === phase.found;
    if (shown && !anew) return;
    this.#list.draw(phase.found.documents, this.#context(phase.found), () => this.#drawTimeline(state));
    this.#drawMore(before, phase.found);
    if (shown) return;
    // A visitor who has found something may come back for more.
    if (this.hasAttribute("offline")) this.#persistence.ask();
    this.#tell("almanac-results", phase.found);
  }

  /** The years move at once, the dates with the results they belong to. */
  #drawTimeline({ phase, ask }: SessionState): void {
    const found = phase.name === "results" || phase.name === "searching" ? this.#found : null;
    const { from, to, season } = ask.filter;
    const [dates, ranked] = [found?.dates ?? null, found?.ranked ?? 0];
    this.#timeline.draw({ dates, ranked, years: { from, to }, query: ask.query }, this.#language);
    this.#dial.draw({ dates, ranked, season }, this.#language);
  }

  /** The reader goes on at the first of the new ones, in whatever way the button was pressed. */
  #drawMore(before: SessionState, found: Found): void {
    const first = this.#firstNew;
    if (before.ask !== this.#shown.ask || (first !== null && found.documents.length > first)) this.#firstNew = null;
    if (first !== null && before.ask === this.#shown.ask) this.#list.titles[first]?.focus();
    this.#more.hidden = found.documents.length >= found.ranked && found.far === 0;
    setText(this.#more, moreText(found, this.#language));
    this.#exports.draw(found.documents.length, this.#language);
  }

  #context({ understood }: Found): ResultContext {
    const language = this.#language;
    return {
      base: this.baseURI,
      remoteImages: this.hasAttribute("remote-images"),
      language,
      collection: this.#shown.info?.title ?? "",
      onLike: (found) => this.#showLike(found),
      span: understood.dates.map((date) => spanText(date, language)).join(language.say("list.separator")),
    };
  }

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

function foundOf({ phase }: SessionState): Found | null {
  return phase.name === "results" || phase.name === "no-match" ? phase.found : null;
}

/** True where the browser has been told to save data. */
function browserSavesData(): boolean {
  return (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;
}

if (customElements.get("almanac-search") === undefined) customElements.define("almanac-search", AlmanacSearch);

declare global {
  interface HTMLElementTagNameMap {
    "almanac-search": AlmanacSearch;
  }
}
