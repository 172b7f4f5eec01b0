import { createHash } from 'node:crypto';
import type { PeerRole } from '../../base/domain/transfers.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import type { TransferSession } from '../transfer-session.ts';

const TOKEN_BITS = 128;

/** Who one of the two says to be. */
export interface PeerClaim {
  /** The peer token, which decides. */
  readonly token: string | undefined;
  readonly role: PeerRole | undefined;
}

/** What one of the two proves itself with, and what is kept of it. */
export function newPeerToken(ids: Ids): { token: string; hash: string } {
  const token = ids.token(TOKEN_BITS);
  return { token, hash: hashOf(token) };
}

/**
 * Which of the two it is; undefined when they do not say and need not.
 * @throws Failure `forbidden` for a wrong token, and for none where the session asks for it
 */
export function roleOf(session: TransferSession, { token, role }: PeerClaim): PeerRole | undefined {
  if (token === undefined) {
    if (session.requiresToken) throw new Failure('forbidden', 'This transfer asks for the peer token.');
    return role;
  }
  const hash = hashOf(token);
  if (hash === session.senderHash) return 'sender';
  if (hash === session.receiverHash) return 'receiver';
  throw new Failure('forbidden', 'The peer token is not of this transfer.');
}

/** Whether it is the sender: by the login that made the session, or by the token. */
export function isSender(
  session: TransferSession,
  by: { accountId: number | undefined; token: string | undefined },
): boolean {
  if (by.accountId !== undefined && by.accountId === session.ownerId) return true;
  return by.token !== undefined && hashOf(by.token) === session.senderHash;
}

export function oppositeOf(role: PeerRole): PeerRole {
  return role === 'sender' ? 'receiver' : 'sender';
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
