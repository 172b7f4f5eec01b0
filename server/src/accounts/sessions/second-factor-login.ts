import { type Clock, MINUTE } from '../../base/clock.ts';
import type { ClientType } from '../../base/domain/accounts.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import type { Database, Tx } from '../../database/database.ts';
import {
  byAddress,
  CODES_BY_ACCOUNT,
  CREDENTIALS_BY_ADDRESS,
  type CredentialLimiter,
} from '../../limits/limits.ts';
import { checkNotBanned, foldUsername } from '../account-rules.ts';
import type { LoginState } from '../contract.ts';
import { limitGuesses } from '../guess-limits.ts';
import { LoginTickets, type VerifiedTicket } from '../login-tickets/login-tickets.ts';
import { findCredentials, lockAccount } from '../queries.ts';
import type { SecondFactors } from '../second-factor/second-factors.ts';
import type { FailedLogin } from './failed-login.ts';
import type { LoginSessions, Origin } from './login-sessions.ts';

const TICKET_LIFETIME_MS = 5 * MINUTE;

interface Claims {
  readonly accountId: number;
  readonly client: ClientType;
  /** Stands for the password that was right: another password ends the ticket. */
  readonly stamp: string;
}

/** The login has to be started again: its ticket is wrong, was used, has expired or was made useless. */
export class EndedTicket extends Failure {
  constructor() {
    super('unauthenticated', 'This login has ended. Please log in again.');
  }
}

/** A login that still needs a code after the right password. */
export interface UnfinishedLogin {
  readonly ticket: string;
}

/**
 * The second step of a login: a code, with the ticket that the first step has given.
 *
 * Wrong codes are counted under the same keys as wrong passwords. So a right password does not end a streak of
 * failures, or somebody who knows it could guess codes for ever by entering it in between.
 */
export class SecondFactorLogin {
  readonly #database: Database;
  readonly #limiter: CredentialLimiter;
  readonly #sessions: LoginSessions;
  readonly #secondFactors: SecondFactors;
  readonly #tickets: LoginTickets<Claims>;
  readonly #onFailed: (login: FailedLogin) => void;

  constructor(parts: {
    database: Database;
    clock: Clock;
    ids: Ids;
    limiter: CredentialLimiter;
    sessions: LoginSessions;
    secondFactors: SecondFactors;
    serviceSecret: string;
    onFailed: (login: FailedLogin) => void;
  }) {
    this.#database = parts.database;
    this.#limiter = parts.limiter;
    this.#sessions = parts.sessions;
    this.#secondFactors = parts.secondFactors;
    this.#tickets = new LoginTickets({
      kind: 'second factor',
      secret: parts.serviceSecret,
      lifetimeMs: TICKET_LIFETIME_MS,
      clock: parts.clock,
      ids: parts.ids,
    });
    this.#onFailed = parts.onFailed;
  }

  /** The ticket of a login that needs a code; undefined if the account has no second factor. */
  async begin(
    tx: Tx,
    { id, passwordHash }: { id: number; passwordHash: string | null },
    { client }: Origin,
  ): Promise<UnfinishedLogin | undefined> {
    if (!(await this.#secondFactors.isOn(tx, id))) return undefined;
    return { ticket: this.#tickets.issue({ accountId: id, client, stamp: this.#toStamp(passwordHash) }) };
  }

  /**
   * Finishes a login. A wrong code leaves the ticket as it is.
   * @throws Failure `unauthenticated` for a wrong code; `forbidden` for a banned account; `too-many`; EndedTicket,
   *   also for a ticket of another client type
   */
  async finish(ticketText: string, code: string, origin: Origin): Promise<LoginState> {
    const ticket = this.#tickets.verify(ticketText);
    const account =
      ticket === undefined || ticket.claims.client !== origin.client
        ? undefined
        : await findCredentials(this.#database.db, { id: ticket.claims.accountId });
    if (ticket === undefined || account === undefined) {
      const limits = [byAddress(CREDENTIALS_BY_ADDRESS, origin.address)];
      return this.#limiter.attempt(limits, () => Promise.reject(new EndedTicket()));
    }
    const limits = [
      // The limit with the longest delay comes first, because `Retry-After` gives the delay of the first one exceeded.
      { rule: CODES_BY_ACCOUNT, key: String(account.id) },
      ...limitGuesses(origin.address, foldUsername(account.username)),
    ];
    return this.#limiter.attempt(limits, () =>
      this.#database.transact((tx) => this.#finish(tx, ticket, code, origin)),
    );
  }

  async #finish(tx: Tx, ticket: VerifiedTicket<Claims>, code: string, origin: Origin): Promise<LoginState> {
    const { accountId, stamp } = ticket.claims;
    const account = await lockAccount(tx, accountId);
    if (this.#toStamp(account.passwordHash) !== stamp) throw new EndedTicket();
    checkNotBanned(account);
    // The app may have been removed, and then no code is right any more.
    if (!(await this.#secondFactors.isOn(tx, accountId))) throw new EndedTicket();
    // The transaction is rolled back if the code is wrong, so the ticket is used up only by a success.
    if (!(await this.#tickets.use(tx, ticket))) throw new EndedTicket();
    if (!(await this.#secondFactors.useCode(tx, accountId, code))) {
      this.#onFailed({ address: origin.address, accountId });
      throw new Failure('unauthenticated', 'The code is wrong or was used before.');
    }
    return this.#sessions.start(tx, account, origin);
  }

  #toStamp(passwordHash: string | null): string {
    return this.#tickets.toStamp(passwordHash ?? '');
  }
}
