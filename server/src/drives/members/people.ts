import {
  type AccountName,
  findAccountsByBeginning,
  findNamedAccount,
  foldEmail,
  foldUsername,
  type NamedAccount,
  noAccount,
  toEmail,
} from '../../accounts/accounts.ts';
import { Failure, isNotFound } from '../../base/failure.ts';
import { toNormalForm } from '../../base/text/names/normal-form.ts';
import type { Database } from '../../database/database.ts';
import { type CredentialLimiter, PEOPLE_BY_ACCOUNT } from '../../limits/limits.ts';
import { findAccountIds, findKnownPeople, hasManyKnown } from './people-queries.ts';

/** The maximum number of people that a search returns. */
export const MAX_FOUND_PEOPLE = 10;
export const MAX_QUERY_LENGTH = 256;

const USERNAME_PART = /^[a-z0-9._-]+$/;

/** Exactly one of a username and an e-mail address. */
export type AccountToFind = { readonly username: string } | { readonly email: string };

interface PeopleParts {
  readonly database: Database;
  readonly limiter: CredentialLimiter;
  /** Whether a search also finds people by the beginning of their usernames who share no drive. */
  readonly peopleSearch: 'known' | 'all';
}

/**
 * Finds other accounts, so that they can become members of drives. A search that finds nobody counts as a failed
 * attempt, like an unknown name, so that no one can list the accounts by guessing.
 */
export class People {
  readonly #parts: PeopleParts;

  constructor(parts: PeopleParts) {
    this.#parts = parts;
  }

  /**
   * The account with exactly that username or e-mail address.
   * @param askerId the account that asks
   * @throws Failure `not-found`; `too-many` after too many unknown names
   */
  get(askerId: number, named: AccountToFind): Promise<NamedAccount> {
    const name =
      'username' in named
        ? { foldedUsername: foldUsername(named.username.trim()) }
        : toEmailName(named.email);
    return this.#limit(askerId, async () => {
      const found = name && (await findNamedAccount(this.#parts.database.db, name));
      if (found === undefined) throw noAccount();
      return found;
    });
  }

  /**
   * The accounts with exactly these usernames, in the same order. All of them are one attempt, because only the
   * first unknown one is reported: the answer tells nothing about those after it.
   * @param askerId the account that asks
   * @throws Failure `not-found` if one does not exist; `too-many` after too many unknown names
   */
  async getAll(
    askerId: number,
    usernames: readonly string[],
  ): Promise<readonly { readonly accountId: number }[]> {
    if (usernames.length === 0) return [];
    const folded = usernames.map((username) => foldUsername(username.trim()));
    return await this.#limit(askerId, async () => {
      const ids = await findAccountIds(this.#parts.database.db, folded);
      return folded.map((name, at) => {
        const accountId = ids.get(name);
        if (accountId !== undefined) return { accountId };
        const message = `There is no account named "${usernames[at]}".`;
        throw new Failure('not-found', message, { field: 'members' });
      });
    });
  }

  /**
   * At most ten people. An account with exactly that username or e-mail address comes first. Then follow people
   * who share a drive with the asker, by the beginning of the username or of a word of the display name.
   * @throws Failure `too-many` after too many searches without a result
   */
  async search(askerId: number, text: string): Promise<readonly NamedAccount[]> {
    const query = (toNormalForm(text.trim(), MAX_QUERY_LENGTH) ?? '').toLowerCase();
    const matching = await this.#parts.database.readBySize(
      (db) => hasManyKnown(db, askerId),
      (db) => findKnownPeople(db, askerId, query, MAX_FOUND_PEOPLE),
    );
    const strangers = query === '' ? [] : await this.#findStrangers(askerId, query, matching);
    const [exact, others] = [strangers.slice(0, 1), strangers.slice(1)];
    const found = new Map([...exact, ...matching, ...others].map((person) => [person.accountId, person]));
    found.delete(askerId);
    return [...found.values()].slice(0, MAX_FOUND_PEOPLE);
  }

  /**
   * Finds people by the whole query, whether or not they share a drive. Someone known by the beginning of the
   * username also counts as found, so that typing a known name is not limited. Display names do not: anyone can
   * choose one that begins like the query.
   */
  async #findStrangers(
    askerId: number,
    query: string,
    known: readonly NamedAccount[],
  ): Promise<readonly NamedAccount[]> {
    const isKnown = known.some(({ username }) => foldUsername(username).startsWith(query));
    try {
      return await this.#limit(askerId, async () => {
        const found = await this.#findByQuery(query);
        if (found.length === 0 && !isKnown) throw noAccount();
        return found;
      });
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  }

  async #findByQuery(query: string): Promise<readonly NamedAccount[]> {
    const { database, peopleSearch } = this.#parts;
    const email = toEmailName(query);
    const exact =
      (await findNamedAccount(database.db, { foldedUsername: query })) ??
      (email && (await findNamedAccount(database.db, email)));
    if (peopleSearch === 'known' || !USERNAME_PART.test(query)) return exact === undefined ? [] : [exact];
    // One more, because the asker may be among them. The exact username is the first of them.
    return findAccountsByBeginning(database.db, query, MAX_FOUND_PEOPLE + 1);
  }

  #limit<T>(askerId: number, find: () => Promise<T>): Promise<T> {
    return this.#parts.limiter.attempt([{ rule: PEOPLE_BY_ACCOUNT, key: `#${askerId}` }], find);
  }
}

/** Undefined for a text that is not an e-mail address. */
function toEmailName(text: string): AccountName | undefined {
  try {
    return { foldedEmail: foldEmail(toEmail(text)) };
  } catch (error) {
    if (error instanceof Failure && error.kind === 'invalid') return undefined;
    throw error;
  }
}
