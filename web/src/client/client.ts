import { Failure, type FailureReport } from "../failure";
import type { CallMessage, CallName, Calls, EventMessage, WorkerMessage } from "../protocol";

/** The part of a `Worker` that a client uses. */
export interface WorkerLike {
  postMessage(message: CallMessage): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<WorkerMessage>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
}

interface Pending {
  resolve: (value: never) => void;
  reject: (failure: Failure) => void;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Longest wait for an answer before the worker counts as hung, in milliseconds; loading may take as long as it needs. */
const CALL_LIMIT_MILLIS: Record<CallName, number | null> = { load: null, meaning: null, settle: null, keep: null, search: 180_000, explain: 180_000 };

/** One worker's life: calls in, answers out, and every open call rejected when it dies. */
export class Client {
  readonly #pending = new Map<number, Pending>();
  #next = 1;
  #dead: FailureReport | null = null;

  constructor(
    private readonly worker: WorkerLike,
    private readonly onEvent: (event: EventMessage) => void,
  ) {
    worker.onmessage = (event) => this.#receive(event.data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.#die(`the search worker stopped (${event.message || whyNotStarted()})`);
    };
    worker.onmessageerror = () => this.#die("the search worker sent something that could not be read");
  }

  /** False once the worker has died or been closed. */
  get alive(): boolean {
    return this.#dead === null;
  }

  /** Calls the worker. */
  call<N extends CallName>(name: N, request: Calls[N]["takes"]): Promise<Calls[N]["gives"]> {
    if (this.#dead !== null) return Promise.reject(new Failure(this.#dead));
    const call = this.#next;
    this.#next += 1;
    return new Promise((resolve, reject) => {
      const limit = CALL_LIMIT_MILLIS[name];
      const timer = limit === null ? undefined : setTimeout(() => this.#die("the search worker stopped answering"), limit);
      this.#pending.set(call, { resolve: resolve as (value: never) => void, reject, timer });
      this.worker.postMessage({ call, name, request } as CallMessage);
    });
  }

  /** Ends the worker; open calls are rejected. */
  close(): void {
    this.#die("the search worker was closed");
  }

  #receive(message: WorkerMessage): void {
    if (this.#dead !== null) return;
    if ("event" in message) return this.onEvent(message);
    const pending = this.#pending.get(message.answer);
    if (pending === undefined) return;
    this.#pending.delete(message.answer);
    clearTimeout(pending.timer);
    if (message.ok) return pending.resolve(message.value as never);
    pending.reject(new Failure(message.failure));
    if (message.failure.fatal === true) this.#die(message.failure.message);
  }

  #die(message: string): void {
    if (this.#dead !== null) return;
    this.#dead = { code: "worker", message, fatal: true };
    this.worker.terminate();
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(new Failure(this.#dead));
    }
    this.#pending.clear();
  }
}

/** A worker whose script cannot be fetched fails without a word: the one likely cause is told here. */
function whyNotStarted(): string {
  return navigator.onLine === false ? "this device is offline and the search has not been downloaded yet" : "it could not be started";
}
