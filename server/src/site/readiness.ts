import { SECOND } from '../base/clock.ts';
import { withTimeLimit } from '../base/concurrency/time-limit.ts';
import { toError } from '../base/errors.ts';
import { Failure } from '../base/failure.ts';

/** Less than the five seconds or so that load balancers wait for a response. */
const MAX_CHECK_MS = 4 * SECOND;

/** How long a result is reused. A check writes and flushes a probe, and anyone may request it. */
const RESULT_MS = SECOND;

/** Something the service depends on. `check` rejects while it does not work. */
interface Dependency {
  /** The beginning of a sentence, such as "The database". */
  readonly name: string;
  readonly check: () => Promise<void>;
}

interface DependencyState {
  readonly name: string;
  /** Why it does not work; undefined if it does. */
  readonly error: Error | undefined;
}

/**
 * Checks whether the service can do its work, which needs its database and its store. The result comes in
 * bounded time even if a check hangs. The same check never runs twice at the same time.
 */
export class Readiness {
  readonly #dependencies: readonly Dependency[];
  readonly #maxCheckMs: number;
  readonly #resultMs: number;
  readonly #running = new Map<Dependency, Promise<void>>();
  #recent: Promise<readonly DependencyState[]> | undefined;

  /** @param times how long a check may take, and how long its result is used; only tests set them */
  constructor(
    dependencies: readonly Dependency[],
    { maxCheckMs = MAX_CHECK_MS, resultMs = RESULT_MS }: { maxCheckMs?: number; resultMs?: number } = {},
  ) {
    this.#dependencies = dependencies;
    this.#maxCheckMs = maxCheckMs;
    this.#resultMs = resultMs;
  }

  /** @throws Failure `unavailable` if a dependency does not work or does not answer */
  async check(): Promise<void> {
    const cause = (await this.inspect()).find(({ error }) => error !== undefined)?.error;
    if (cause !== undefined) throw new Failure('unavailable', 'Not ready.', { retryAfterSeconds: 5, cause });
  }

  /** Returns the state of each dependency. Resolves in bounded time. */
  inspect(): Promise<readonly DependencyState[]> {
    this.#recent ??= this.#checkAll().finally(() =>
      setTimeout(() => {
        this.#recent = undefined;
      }, this.#resultMs).unref(),
    );
    return this.#recent;
  }

  #checkAll(): Promise<readonly DependencyState[]> {
    const inspectOne = async (dependency: Dependency) => {
      const error = await this.#checkOne(dependency).then(() => undefined, toError);
      return { name: dependency.name, error };
    };
    return Promise.all(this.#dependencies.map(inspectOne));
  }

  #checkOne(dependency: Dependency): Promise<void> {
    let running = this.#running.get(dependency);
    if (running === undefined) {
      running = dependency.check().finally(() => this.#running.delete(dependency));
      this.#running.set(dependency, running);
    }
    const late = () => new Error(`${dependency.name} does not answer within ${this.#maxCheckMs / SECOND} s.`);
    return withTimeLimit(running, this.#maxCheckMs, late);
  }
}
