/** The parts of a service worker's surroundings that are used; TypeScript describes them only apart from a page's. */
export interface ServiceScope {
  readonly registration: { readonly scope: string; unregister(): Promise<boolean> };
  readonly clients: { claim(): Promise<void>; matchAll(options: { type: "window" }): Promise<{ url: string; navigate(url: string): Promise<unknown> }[]> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: LifeEvent) => void): void;
  addEventListener(type: "message", listener: (event: LifeEvent & { data: unknown }) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchLike) => void): void;
}

/** An event that the browser waits for. */
export interface LifeEvent {
  waitUntil(work: Promise<unknown>): void;
}

/** A request that may be answered. */
export interface FetchLike extends LifeEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
