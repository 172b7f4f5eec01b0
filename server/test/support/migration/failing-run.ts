import type { ObjectStore } from '../../../src/storage/object-store.ts';

/**
 * A simulated run of a program that fails at one step: before the step takes effect, or afterwards before its
 * result is known. After a crash every further step also fails, although running operations may still
 * complete. After a mere error the program continues.
 */
export class FailingRun {
  readonly #failsAt: number;
  readonly #kind: 'crash' | 'error';
  readonly #running = new Set<Promise<unknown>>();
  #steps = 0;
  #hasCrashed = false;

  constructor(failsAt = Number.POSITIVE_INFINITY, kind: 'crash' | 'error' = 'crash') {
    this.#failsAt = failsAt;
    this.#kind = kind;
  }

  /** Whether the run reached the step at which it fails. */
  get hasFailed(): boolean {
    return this.#steps >= this.#failsAt;
  }

  /** Runs an operation as two steps: its start and its end. */
  async act<T>(operate: () => Promise<T>): Promise<T> {
    this.#step();
    const operation = operate();
    this.#running.add(operation);
    try {
      return await operation;
    } finally {
      this.#running.delete(operation);
      this.#step();
    }
  }

  /** Waits until no operation is running. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  #step(): void {
    if (this.#hasCrashed) throw new Error('crashed');
    this.#steps += 1;
    if (this.#steps !== this.#failsAt) return;
    this.#hasCrashed = this.#kind === 'crash';
    throw new Error(`simulated ${this.#kind}`);
  }
}

const innerOf = new WeakMap<ObjectStore, ObjectStore>();

/**
 * Wraps a store so that its operations are steps of the run. Supports only the operations that a policy
 * migration uses.
 */
export function toFailingStore(inner: ObjectStore, run: FailingRun): ObjectStore {
  const operations: Partial<ObjectStore> = {
    write: (key, source, options) => run.act(() => inner.write(key, source, options)),
    open: (key, range) => run.act(() => inner.open(key, range)),
    remove: (keys) => run.act(() => inner.remove(keys)),
    copyFrom: (other, source, target, options) =>
      run.act(() => inner.copyFrom(innerOf.get(other) ?? other, source, target, options)),
  };
  const failing = new Proxy(inner, {
    get: (_inner, name) => {
      // `await` reads this property to detect promises.
      if (name === 'then') return undefined;
      const operation: unknown = Reflect.get(operations, name);
      if (operation === undefined) throw new Error(`The failing store has no ${String(name)}.`);
      return operation;
    },
  });
  innerOf.set(failing, inner);
  return failing;
}
