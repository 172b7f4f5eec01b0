import { createHash } from 'node:crypto';
import type { Random } from '../../../../tools/fuzz/requests/random.ts';
import type { Person } from '../app/person.ts';
import { isBrokenConnection } from '../drive/drive-worker.ts';

export interface LoadOptions {
  readonly person: Person;
  /** The directory of this load. No other load changes it. */
  readonly home: string;
  readonly random: Random;
}

/**
 * Sends one request after another to a service that is killed meanwhile, and remembers what was acknowledged.
 * The request that runs when the service is killed must have happened completely or not at all.
 */
export abstract class Load {
  readonly home: string;
  protected readonly random: Random;
  person: Person;
  #acknowledged = 0;
  #checked = 0;
  #isResting = false;

  constructor({ person, home, random }: LoadOptions) {
    this.person = person;
    this.home = home;
    this.random = random;
  }

  /** The number of changes that were acknowledged. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** The number of acknowledged changes that were verified after the service was killed. */
  get checked(): number {
    return this.#checked;
  }

  /** Creates what the load needs, before the first kill. */
  async prepare(): Promise<void> {
    await this.acknowledge(this.person.mkdir(this.home));
  }

  /** Works until the service is gone or {@link rest} is called. */
  async work(): Promise<void> {
    this.#isResting = false;
    while (!this.#isResting) {
      try {
        await this.step();
      } catch (error) {
        if (isBrokenConnection(error)) return;
        throw error;
      }
    }
  }

  /** Stops after the running step. */
  rest(): void {
    this.#isResting = true;
  }

  /** Compares what the service has with what was acknowledged, and settles the request that was interrupted. */
  async check(person: Person): Promise<void> {
    this.person = person;
    await this.compare();
    this.#checked = this.#acknowledged;
  }

  /** Makes the next check read every file again. */
  abstract clearReads(): void;

  /** Sends the next request. Throws when the connection breaks. */
  protected abstract step(): Promise<void>;

  protected abstract compare(): Promise<void>;

  /** Waits for the answer to a change, and counts it. */
  protected async acknowledge<T>(answer: Promise<T>): Promise<T> {
    const got = await answer;
    this.#acknowledged += 1;
    return got;
  }

  /** Picks a size: most files are small, some are large enough to be written in pieces. */
  protected pickSize(): number {
    return this.random.chance(12) ? this.random.between(600_000, 2_500_000) : this.random.below(40_000);
  }
}

export function toHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
