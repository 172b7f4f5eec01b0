import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type Clock, type Instant, MINUTE } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Database, Tx } from '../../database/database.ts';
import { deleteExpiredRows } from '../../database/expired-rows.ts';
import { insertUsedTicket } from './queries.ts';

const ID_BITS = 128;

/**
 * How much the clocks of instances may differ. One instance may still accept a ticket that has expired at
 * another.
 */
const MAX_CLOCK_DIFFERENCE_MS = MINUTE;

/** A ticket with a valid signature that has not expired. It may have been used. */
export interface VerifiedTicket<Claims> {
  readonly id: string;
  readonly claims: Claims;
  readonly expiresAt: Instant;
}

interface LoginTicketsParts {
  readonly kind: string;
  readonly secret: string;
  readonly lifetimeMs: number;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Tickets that a client gets in one step of a login and sends back in the next one. A ticket is signed and
 * not stored, so no one can fill the database, or displace the tickets of others, by starting logins. Only
 * the use of a ticket is stored, so that a ticket works once.
 *
 * A ticket is `<claims>.<signature>`, both in base64url. The claims are readable, so they must not be secret.
 */
export class LoginTickets<Claims extends object> {
  readonly #key: Buffer;
  readonly #parts: LoginTicketsParts;

  /** @param parts.kind names the step; tickets of other kinds have other signatures */
  constructor(parts: LoginTicketsParts) {
    this.#parts = parts;
    this.#key = Buffer.from(hkdfSync('sha256', parts.secret, '', `holdall login ticket ${parts.kind}`, 32));
  }

  issue(claims: Claims): string {
    const ticket = {
      id: this.#parts.ids.token(ID_BITS),
      claims,
      expiresAt: this.#parts.clock.now() + this.#parts.lifetimeMs,
    };
    const text = Buffer.from(JSON.stringify(ticket)).toString('base64url');
    return `${text}.${this.#sign(text)}`;
  }

  /** Returns undefined if the signature is wrong, or if the ticket is of another kind or has expired. */
  verify(ticket: string): VerifiedTicket<Claims> | undefined {
    const [text = '', signature = '', ...rest] = ticket.split('.');
    const expected = Buffer.from(this.#sign(text));
    // The text is compared, because different texts in base64url can mean the same bytes.
    const sent = Buffer.from(signature);
    if (rest.length > 0 || sent.length !== expected.length || !timingSafeEqual(sent, expected))
      return undefined;
    // The signature proves that `issue` has made it, from claims of this type.
    const verified = JSON.parse(Buffer.from(text, 'base64url').toString()) as VerifiedTicket<Claims>;
    return verified.expiresAt <= this.#parts.clock.now() ? undefined : verified;
  }

  /** Marks the ticket as used. Returns false if it was used before. */
  use(tx: Tx, { id, expiresAt }: VerifiedTicket<Claims>): Promise<boolean> {
    return insertUsedTicket(tx, id, expiresAt);
  }

  /** A keyed hash of a secret, for the claims of a ticket: it does not reveal the secret. */
  fingerprint(secret: string): string {
    return createHmac('sha256', this.#key).update(`fingerprint ${secret}`).digest('base64url').slice(0, 22);
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}

/** Deletes the rows of used tickets that no instance accepts any more, because they have expired. */
export function deleteExpiredLoginTickets(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const before = clock.now() - MAX_CLOCK_DIFFERENCE_MS;
  return deleteExpiredRows(database, 'used_login_ticket', before, signal);
}
