import type { AppPasswordRecord, NewAppPassword } from '../../../src/accounts/app-passwords/contract.ts';
import { Person } from './person.ts';

export const APP_PASSWORDS = '/api/user/app-passwords';

export function createAppPassword(
  person: Person,
  wanted: { name?: string; scope?: 'READ' | 'WRITE'; expiresAt?: string } = {},
): Promise<NewAppPassword> {
  return person.ask('POST', APP_PASSWORDS, { body: { name: 'a program', scope: 'WRITE', ...wanted } });
}

export function listAppPasswords(person: Person): Promise<readonly AppPasswordRecord[]> {
  return person.ask('GET', APP_PASSWORDS);
}

/** An app of the person, which uses an app password instead of a login. */
export function asProgram(person: Person, password: string): Person {
  return new Program(person, password);
}

class Program extends Person {
  readonly #password: string;

  constructor(person: Person, password: string) {
    super(person.username, person.url);
    this.#password = password;
  }

  override get token(): string {
    return this.#password;
  }

  override fetch(...[method, path, options = {}]: Parameters<Person['fetch']>): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#password}`, ...options.headers };
    return super.fetch(method, path, { ...options, headers });
  }
}
