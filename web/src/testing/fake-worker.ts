/** A worker that the test plays itself, for unit tests only. */
import type { WorkerLike } from "../client/client";
import type { CallMessage, WorkerMessage } from "../protocol";

/** Records calls; the test answers them. */
export class FakeWorker implements WorkerLike {
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;
  onmessageerror: WorkerLike["onmessageerror"] = null;
  readonly sent: CallMessage[] = [];
  terminated = false;

  postMessage(message: CallMessage): void {
    this.sent.push(message);
  }

  terminate(): void {
    this.terminated = true;
  }

  /** Sends a message to the page. */
  say(message: WorkerMessage): void {
    this.onmessage?.({ data: message } as MessageEvent<WorkerMessage>);
  }

  /** Fails as a worker does. */
  crash(message: string): void {
    this.onerror?.({ message } as ErrorEvent);
  }
}
