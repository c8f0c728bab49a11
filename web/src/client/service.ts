import { trustedScript } from "./trusted";

/** What the page says to a waiting service worker: take over. */
export const TAKE_OVER = "almanac-take-over";

/** The service worker of a page, which keeps the page itself for use without a network. */
export class Service {
  #waiting: ServiceWorker | null = null;
  #asked = false;

  constructor(
    private readonly container: ServiceWorkerContainer | undefined,
    /** Told when a new version is there and waits. */
    private readonly onUpdate: () => void,
    private readonly reload: () => void,
  ) {}

  /** Whether an earlier visit has left a worker that answers for this page. */
  get controls(): boolean {
    return (this.container?.controller ?? null) !== null;
  }

  /** Registers the worker at `url`; a page that may not have one works as before. */
  async start(url: URL): Promise<void> {
    const { container } = this;
    if (container === undefined || url.origin !== location.origin) return;
    let controlled = container.controller !== null;
    container.addEventListener("controllerchange", () => {
      if (this.#asked) return this.reload();
      // Another tab has asked. The first worker of all takes over without a word: nothing is out of date then.
      if (controlled) this.onUpdate();
      controlled = true;
    });
    if (await isKilled(url)) return;
    try {
      const registration = await container.register(trustedScript(url.href), { updateViaCache: "none" });
      this.#watch(registration);
      registration.addEventListener("updatefound", () => this.#watch(registration));
    } catch {
      // Private windows and insecure pages have no service workers.
    }
  }

  /** Lets the new version take over; the page is then loaded again. */
  update(): void {
    this.#asked = true;
    if (this.#waiting === null || this.#waiting.state === "activated") this.reload();
    else this.#waiting.postMessage(TAKE_OVER);
  }

  #watch(registration: ServiceWorkerRegistration): void {
    const tell = (): void => {
      if (registration.waiting === null || this.container?.controller === null) return;
      this.#waiting = registration.waiting;
      this.onUpdate();
    };
    tell();
    registration.installing?.addEventListener("statechange", tell);
  }
}

/** True where the site has taken its service worker back. */
async function isKilled(worker: URL): Promise<boolean> {
  try {
    const response = await fetch(new URL("kill.json", worker), { cache: "no-store", credentials: "same-origin" });
    const answer: unknown = response.ok ? await response.json() : null;
    return typeof answer === "object" && answer !== null && "kill" in answer && answer.kill === true;
  } catch {
    return false;
  }
}

/** Asks the browser, once, not to clear what is kept when it needs room. */
export class Persistence {
  #asked = false;

  constructor(private readonly storage: Pick<StorageManager, "persist"> | undefined) {}

  /** Asks, if it has not been asked yet. */
  ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    // Whatever the answer is, the search goes on.
    void this.storage?.persist?.().catch(() => false);
  }
}
