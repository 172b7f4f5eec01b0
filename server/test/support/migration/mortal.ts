import type { ObjectStore } from '../../../src/storage/object-store.ts';

/**
 * A run of a program that ends at one of its steps, before it takes effect or after it but before the answer. Dead, it
 * does nothing more, except that what was under way may end; a run that only stumbles goes on.
 */
export class Life {
  readonly #endsAt: number;
  readonly #kind: 'death' | 'stumble';
  readonly #underWay = new Set<Promise<unknown>>();
  #steps = 0;
  #isDead = false;

  constructor(endsAt = Number.POSITIVE_INFINITY, kind: 'death' | 'stumble' = 'death') {
    this.#endsAt = endsAt;
    this.#kind = kind;
  }

  /** Whether it came as far as its end. */
  get hasEnded(): boolean {
    return this.#steps >= this.#endsAt;
  }

  async act<T>(act: () => Promise<T>): Promise<T> {
    this.#step();
    const acting = act();
    this.#underWay.add(acting);
    try {
      return await acting;
    } finally {
      this.#underWay.delete(acting);
      this.#step();
    }
  }

  /** Waits until nothing is under way any more. */
  async settle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  #step(): void {
    if (this.#isDead) throw new Error('dead');
    this.#steps += 1;
    if (this.#steps !== this.#endsAt) return;
    this.#isDead = this.#kind === 'death';
    throw new Error(this.#kind);
  }
}

const innerOf = new WeakMap<ObjectStore, ObjectStore>();

/** The store as a mortal program reaches it: for what moving needs. */
export function toMortalStore(inner: ObjectStore, life: Life): ObjectStore {
  const acts: Partial<ObjectStore> = {
    write: (key, source, options) => life.act(() => inner.write(key, source, options)),
    open: (key, range) => life.act(() => inner.open(key, range)),
    remove: (keys) => life.act(() => inner.remove(keys)),
    copyFrom: (other, source, target, options) =>
      life.act(() => inner.copyFrom(innerOf.get(other) ?? other, source, target, options)),
  };
  const mortal = new Proxy(inner, {
    get: (_inner, name) => {
      // Asked by whoever awaits it.
      if (name === 'then') return undefined;
      const act: unknown = Reflect.get(acts, name);
      if (act === undefined) throw new Error(`Nobody said how ${String(name)} ends.`);
      return act;
    },
  });
  innerOf.set(mortal, inner);
  return mortal;
}
