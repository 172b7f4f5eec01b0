import type { PeerRole } from '../../base/domain/transfers.ts';
import { Failure } from '../../base/failure.ts';
import type { Ids } from '../../base/ids.ts';
import { hashToken } from '../../base/text/hash-token.ts';
import type { TransferSession } from '../transfer-session.ts';

const TOKEN_BITS = 128;

/** The role that a caller claims. */
export interface PeerClaim {
  /** The peer token. If present, it alone determines the role. */
  readonly token: string | undefined;
  readonly role: PeerRole | undefined;
}

/** A new peer token, and its hash. The database stores only the hash. */
export function newPeerToken(ids: Ids): { token: string; hash: string } {
  const token = ids.token(TOKEN_BITS);
  return { token, hash: hashToken(token) };
}

/**
 * The caller's role; undefined if the caller claims no role and the session does not require a token.
 * @throws Failure `forbidden` for a wrong token, or for a missing one that the session requires
 */
export function roleOf(session: TransferSession, { token, role }: PeerClaim): PeerRole | undefined {
  if (token === undefined) {
    if (session.requiresToken) throw new Failure('forbidden', 'This transfer requires the peer token.');
    return role;
  }
  const hash = hashToken(token);
  if (hash === session.senderHash) return 'sender';
  if (hash === session.receiverHash) return 'receiver';
  throw new Failure('forbidden', 'The peer token does not belong to this transfer.');
}

/**
 * Whether the caller is the sender, proved by the account that created the session or by the sender's token.
 */
export function isSender(
  session: TransferSession,
  { accountId, token }: { accountId: number | undefined; token: string | undefined },
): boolean {
  if (accountId !== undefined && accountId === session.accountId) return true;
  return token !== undefined && hashToken(token) === session.senderHash;
}

export function oppositeOf(role: PeerRole): PeerRole {
  return role === 'sender' ? 'receiver' : 'sender';
}
