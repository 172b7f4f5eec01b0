// The users of a section. They access the service only over HTTP.
import { randomBytes } from 'node:crypto';
import { type CallOptions, type LoginState, Person } from '../../server/test/support/app/person.ts';
import type { CalledOperations } from './called-operations.ts';

export interface AdminLogin {
  readonly username: string;
  readonly password: string;
}

export class Scene {
  readonly url: string;
  readonly called: CalledOperations;
  readonly adminLogin: AdminLogin;
  readonly #admin: () => Promise<Person>;
  readonly #onRegistered: (person: Person) => Promise<void>;
  readonly #people = new Map<string, Promise<Person>>();

  /**
   * @param admin the admin for the whole run: a second login would end the session of the first
   * @param onRegistered called for each new user, before the checks use it
   */
  constructor(
    target: { readonly url: string; readonly called: CalledOperations; readonly adminLogin: AdminLogin },
    admin: () => Promise<Person>,
    onRegistered: (person: Person) => Promise<void>,
  ) {
    this.url = target.url;
    this.called = target.called;
    this.adminLogin = target.adminLogin;
    this.#admin = admin;
    this.#onRegistered = onRegistered;
  }

  get anonymous(): Person {
    return new WatchedPerson('anonymous', this);
  }

  // Properties instead of methods, so that checks can destructure the scene.

  readonly admin = (): Promise<Person> => this.#admin();

  /** This section's user with that name, registered at the first call. */
  readonly person = (name = 'alice'): Promise<Person> => {
    const found = this.#people.get(name) ?? this.newcomer(name);
    this.#people.set(name, found);
    return found;
  };

  /** Registers a new user. */
  readonly newcomer = async (name = 'newcomer'): Promise<Person> => {
    const person = await this.stranger(name).register(await this.inviteCode());
    await this.#onRegistered(person);
    return person;
  };

  /** A user who has not registered. */
  readonly stranger = (name = 'stranger'): Person => new WatchedPerson(uniqueName(name), this);

  /** Creates an empty directory with a unique name. Returns its path. */
  readonly directory = async (person: Person): Promise<string> =>
    (await person.mkdir(`/${uniqueName('check')}`)).path;

  readonly inviteCode = async (): Promise<string> => {
    const admin = await this.admin();
    return (await admin.ask<{ inviteCode: string }>('GET', '/api/admin/summary')).inviteCode;
  };
}

/** A name that no earlier run has used. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomBytes(5).toString('hex')}`;
}

/** A person who records the operations they call. */
export class WatchedPerson extends Person {
  readonly #scene: Pick<Scene, 'url' | 'called'>;

  constructor(username: string, scene: Pick<Scene, 'url' | 'called'>) {
    super(username, scene.url);
    this.#scene = scene;
  }

  override fetch(method: string, path: string, options?: CallOptions): Promise<Response> {
    this.#scene.called.add(method, path);
    return super.fetch(method, path, options);
  }

  override with(login: LoginState | undefined): Person {
    const other = new WatchedPerson(this.username, this.#scene);
    other.login = login;
    return other;
  }
}
