import type { ExampleRequest } from '../../../src/http/operation.ts';
import type { Person } from '../app/person.ts';
import type { Scene } from './fault-case.ts';
import { REAL_VALUES } from './real-values.ts';

type Make<T> = (fixture: Fixture) => Promise<T>;

/** What one request works on: an account of its own, and in it what is made when it is needed. */
export class Fixture {
  readonly scene: Scene;
  /** Nothing has this name yet. */
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

  /** What the function makes. It is called once. */
  async once<T>(make: Make<T>): Promise<T> {
    const made = this.#made.get(make) ?? make(this);
    this.#made.set(make, made);
    // The map has under each function what that function has made.
    return (await made) as T;
  }

  /** The example with real values. */
  async realize(example: ExampleRequest): Promise<ExampleRequest> {
    // Each value is replaced by one of its own type.
    return (await this.#realize(example)) as ExampleRequest;
  }

  async #realize(value: unknown): Promise<unknown> {
    const make = REAL_VALUES.get(value);
    if (make !== undefined) return this.once(make);
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.#realize(item)));
    if (typeof value !== 'object' || value === null) return value;
    const members: [string, unknown][] = [];
    // One after the other: a case must make the same calls each time.
    for (const [name, member] of Object.entries(value)) members.push([name, await this.#realize(member)]);
    return Object.fromEntries(members);
  }
}
