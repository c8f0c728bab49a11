/** A browser's room for responses, for unit tests only. */
export class FakeCaches {
  readonly caches = new Map<string, Map<string, Response>>();
  /** Puts that succeed before the room is full. */
  room = Number.POSITIVE_INFINITY;

  async open(name: string): Promise<Cache> {
    const held = this.caches.get(name) ?? new Map<string, Response>();
    this.caches.set(name, held);
    const cache = {
      match: async (url: string) => held.get(url)?.clone(),
      keys: async () => [...held.keys()].map((url) => ({ url })),
      delete: async (url: string) => held.delete(url),
      put: async (url: string, response: Response) => {
        if (this.room < 1) throw new DOMException("Quota exceeded.", "QuotaExceededError");
        this.room -= 1;
        held.set(url, response);
      },
    };
    return cache as unknown as Cache;
  }

  async match(url: string, { cacheName }: { cacheName: string }): Promise<Response | undefined> {
    return this.caches.get(cacheName)?.get(url)?.clone();
  }

  async keys(): Promise<string[]> {
    return [...this.caches.keys()];
  }

  async delete(name: string): Promise<boolean> {
    return this.caches.delete(name);
  }
}
