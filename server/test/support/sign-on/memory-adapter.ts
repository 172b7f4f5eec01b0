type Payload = Record<string, unknown> & { uid?: string; grantId?: string; consumed?: number };

/**
 * Stores the records of an `oidc-provider` in memory. Nothing expires, because the provider does not live
 * long enough.
 */
export function createAdapter() {
  const records = new Map<string, Payload>();
  return class MemoryAdapter {
    readonly #kind: string;

    constructor(kind: string) {
      this.#kind = kind;
    }

    async upsert(id: string, payload: Payload): Promise<void> {
      records.set(this.#keyOf(id), payload);
    }

    async find(id: string): Promise<Payload | undefined> {
      return records.get(this.#keyOf(id));
    }

    async findByUid(uid: string): Promise<Payload | undefined> {
      return [...records]
        .filter(([key]) => key.startsWith(this.#keyOf('')))
        .map(([, payload]) => payload)
        .find((payload) => payload.uid === uid);
    }

    async consume(id: string): Promise<void> {
      const payload = records.get(this.#keyOf(id));
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1_000);
    }

    async destroy(id: string): Promise<void> {
      records.delete(this.#keyOf(id));
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      for (const [key, payload] of records) if (payload.grantId === grantId) records.delete(key);
    }

    #keyOf(id: string): string {
      return `${this.#kind}:${id}`;
    }
  };
}
