import type { ExampleRequest } from '../../../src/http/operation.ts';
import type { Person } from '../app/person.ts';
import type { Scene } from './fault-case.ts';
import { REAL_VALUES } from './real-values.ts';

type Make<T> = (fixture: Fixture) => Promise<T>;

/** What one request works on: its own account, and things in it that are created on demand. */
export class Fixture {
  readonly scene: Scene;
  /** A name that nothing has yet. */
  readonly name: string;
  /** Owns everything that the examples name. */
  readonly owner: Person;
  readonly #made = new Map<unknown, Promise<unknown>>();

  private constructor(scene: Scene, name: string, owner: Person) {
    this.scene = scene;
    this.name = name;
    this.owner = owner;
  }

  static async start(scene: Scene, name: string): Promise<Fixture> {
    return new Fixture(scene, name, await scene.holdall.register(name));
  }

  /** Returns what the function makes. Calls it only the first time. */
  async once<T>(make: Make<T>): Promise<T> {
    const made = this.#made.get(make) ?? make(this);
    this.#made.set(make, made);
    // Each function is the key of what it has made, so the type is right.
    return (await made) as T;
  }

  /** Replaces the placeholders of the example with real values. */
  async realize(example: ExampleRequest): Promise<ExampleRequest> {
    // Each value is replaced by one of the same type.
    return (await this.#realize(example)) as ExampleRequest;
  }

  async #realize(value: unknown): Promise<unknown> {
    const make = REAL_VALUES.get(value);
    if (make !== undefined) return this.once(make);
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.#realize(item)));
    if (typeof value !== 'object' || value === null) return value;
    const members: [string, unknown][] = [];
    // Sequential, because a case must make the same calls in the same order each time.
    for (const [name, member] of Object.entries(value)) members.push([name, await this.#realize(member)]);
    return Object.fromEntries(members);
  }
}
