import { SECOND } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import { BoundedChild, type ChildLimits, type ChildProgram } from './bounded-child.ts';
import type { Answered, ChildRequest } from './messages.ts';

export { ChildCrashed, ChildInterrupted, ChildKilled, ChildMisbehaved } from './bounded-child.ts';

/** A process takes about 90 MB, so it ends after being idle for this long. */
const IDLE_MS = 10 * SECOND;

/**
 * A process that takes more memory than this after its work is replaced, because libraries do not free all
 * memory.
 */
const MAX_IDLE_BYTES = 250 * 1024 ** 2;

/**
 * Child processes that process strangers' files, and can be killed at any moment. Each processes many files,
 * one after another. The caller limits how many files are processed at the same time, and so the number of
 * processes.
 */
export class BoundedChildren<T> {
  readonly #program: ChildProgram<T>;
  readonly #limits: ChildLimits;
  readonly #all = new Set<BoundedChild<T>>();
  readonly #idle: BoundedChild<T>[] = [];
  #isClosed = false;

  constructor(program: ChildProgram<T>, limits: ChildLimits) {
    this.#program = program;
    this.#limits = limits;
  }

  /** The number of running processes, including idle ones. */
  get processCount(): number {
    return this.#all.size;
  }

  /** The ids of the processes, for tests. */
  get processIds(): readonly number[] {
    return [...this.#all].flatMap(({ id }) => id ?? []);
  }

  /**
   * @param file must yield `request.length` bytes
   * @param options `isFresh` asks for a new process
   * @throws ChildCrashed; ChildInterrupted; ChildMisbehaved; Failure `unavailable` if no process can be
   *   started or the service is stopping; an error of the file; the reason of the signal
   */
  async process(
    request: ChildRequest,
    file: AsyncIterable<Uint8Array>,
    { signal, isFresh = false }: { readonly signal?: AbortSignal; readonly isFresh?: boolean } = {},
  ): Promise<T> {
    if (this.#isClosed) throw stopping();
    const child = (isFresh ? undefined : this.#takeIdle()) ?? this.#start();
    let answered: Answered<T>;
    try {
      answered = await child.process(request, file, this.#limits, signal);
    } catch (error) {
      await child.kill(new Error('The process is not usable.'));
      throw error;
    }
    if (answered.memoryBytes > MAX_IDLE_BYTES)
      await child.kill(new Error('The process takes too much memory.'));
    else this.#keep(child);
    return answered.result;
  }

  /** Ends all processes, and never starts new ones. Running work fails. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((child) => child.kill(stopping())));
  }

  #takeIdle(): BoundedChild<T> | undefined {
    const idle = this.#idle.pop();
    idle?.stopIdling();
    return idle === undefined || idle.isUsable ? idle : this.#takeIdle();
  }

  #start(): BoundedChild<T> {
    const made: BoundedChild<T> = new BoundedChild(this.#program, () => {
      this.#all.delete(made);
      const place = this.#idle.indexOf(made);
      if (place !== -1) this.#idle.splice(place, 1);
    });
    this.#all.add(made);
    return made;
  }

  #keep(child: BoundedChild<T>): void {
    if (!child.isUsable) return;
    this.#idle.push(child);
    child.endAfter(IDLE_MS);
  }
}

function stopping(): Failure {
  return new Failure('unavailable', 'The service is stopping.');
}
