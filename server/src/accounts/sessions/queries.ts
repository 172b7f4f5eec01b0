import type { Instant } from '../../base/clock.ts';
import type { ClientType, Role } from '../../base/domain/accounts.ts';
import { CompiledOnce } from '../../database/compiled-once.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { LoginMethods } from '../security/login-methods.ts';
import { hasUsableFactor } from '../security/queries.ts';
import { DELETED_COLUMNS, type DeletedSession } from './end-queries.ts';

export interface Session {
  readonly id: string;
  readonly accountId: number;
  readonly client: ClientType;
}

/** A login or a refresh, as it is stored. */
export interface SessionUse {
  readonly refreshHash: string;
  readonly refreshExpiresAt: Instant;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly usedAt: Instant;
}

/** The `device` of a session whose client names none. */
const NO_DEVICE = '';

/** Inserts a session. It replaces the previous session of the account, client type and device. */
export async function upsertSession(
  tx: Tx,
  { id, accountId, client, device }: Session & { readonly device: string | null },
  use: SessionUse,
): Promise<void> {
  const values = {
    ...{ id, ...toColumns(use), created_at: use.usedAt },
    ...{ present_until: null, present_by: null },
  };
  await tx
    .insertInto('session')
    .values({ ...values, account_id: accountId, client, device: device ?? NO_DEVICE })
    .onConflict((conflict) => conflict.columns(['account_id', 'client', 'device']).doUpdateSet(values))
    .execute();
}

function toColumns({ refreshHash, refreshExpiresAt, address, userAgent, usedAt }: SessionUse) {
  return {
    refresh_hash: refreshHash,
    refresh_expires_at: refreshExpiresAt,
    address,
    user_agent: userAgent,
    last_used_at: usedAt,
  };
}

/** Deletes the session of the account, client type and device, because a new one replaces it. */
export async function deleteReplaced(
  tx: Tx,
  { accountId, client, device }: Omit<Session, 'id'> & { readonly device: string | null },
): Promise<readonly DeletedSession[]> {
  return tx
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .where('client', '=', client)
    .where('device', '=', device ?? NO_DEVICE)
    .returning(DELETED_COLUMNS)
    .execute();
}

/** Deletes the least recently used sessions of the account, except the new one and `except.others` more. */
export async function deleteLeastRecentlyUsed(
  tx: Tx,
  accountId: number,
  except: { readonly newId: string; readonly others: number },
): Promise<readonly DeletedSession[]> {
  return tx
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .where('id', '!=', except.newId)
    .where('id', 'not in', (query) =>
      query
        .selectFrom('session as kept')
        .select('kept.id')
        .where('kept.account_id', '=', accountId)
        .where('kept.id', '!=', except.newId)
        .orderBy('kept.last_used_at', 'desc')
        .orderBy('kept.id')
        .limit(except.others),
    )
    .returning(DELETED_COLUMNS)
    .execute();
}

/**
 * Replaces a refresh token that is current and has not expired. Of several racing refreshes, one succeeds.
 */
export async function rotateRefresh(tx: Tx, oldHash: string, use: SessionUse): Promise<Session | undefined> {
  return tx
    .updateTable('session')
    .set(toColumns(use))
    .where('refresh_hash', '=', oldHash)
    .where('refresh_expires_at', '>', use.usedAt)
    .returning(['id', 'account_id as accountId', 'client'])
    .executeTakeFirst();
}

/** Returns an empty list if the account has no such session. */
export async function deleteSession(
  tx: Tx,
  accountId: number,
  id: string,
): Promise<readonly DeletedSession[]> {
  return tx
    .deleteFrom('session')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning(DELETED_COLUMNS)
    .execute();
}

/** The device of a session; null if it names none, or has ended. */
export async function findDevice(tx: Tx, id: string): Promise<string | null> {
  const session = await tx.selectFrom('session').select('device').where('id', '=', id).executeTakeFirst();
  return toDevice(session?.device ?? NO_DEVICE);
}

/** A session as its owner sees it. */
export interface ListedSession {
  readonly id: string;
  readonly client: ClientType;
  readonly device: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
  /** Whether the session has an open browser, which shows transfer offers. */
  readonly isPresent: boolean;
}

/** The sessions of the account that have not expired, most recently used first. */
export async function listSessions(
  db: Db,
  accountId: number,
  now: Instant,
): Promise<readonly ListedSession[]> {
  const sessions = await db
    .selectFrom('session')
    .select(['id', 'client', 'device', 'address', 'user_agent as userAgent'])
    .select(['created_at as createdAt', 'last_used_at as lastUsedAt', 'present_until as presentUntil'])
    .where('account_id', '=', accountId)
    .where('refresh_expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute();
  return sessions.map(({ presentUntil, ...session }) => ({
    ...session,
    device: toDevice(session.device),
    isPresent: (presentUntil ?? 0) > now,
  }));
}

function toDevice(stored: string): string | null {
  return stored === NO_DEVICE ? null : stored;
}

/** Deletes every session of the account but that one. */
export async function deleteOtherSessions(
  tx: Tx,
  accountId: number,
  keptId: string,
): Promise<readonly DeletedSession[]> {
  return tx
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .where('id', '!=', keptId)
    .returning(DELETED_COLUMNS)
    .execute();
}

export async function deleteSessionsOf(tx: Tx, accountId: number): Promise<readonly DeletedSession[]> {
  return tx.deleteFrom('session').where('account_id', '=', accountId).returning(DELETED_COLUMNS).execute();
}

/** Deletes sessions whose refresh token has expired. */
export async function deleteExpiredSessions(
  tx: Tx,
  now: Instant,
  limit: number,
): Promise<readonly DeletedSession[]> {
  return (
    tx
      .deleteFrom('session')
      // The row may have been extended after it was selected.
      .where('refresh_expires_at', '<=', now)
      .where('id', 'in', (query) =>
        query
          .selectFrom('session as expired')
          .select('expired.id')
          .where('expired.refresh_expires_at', '<=', now)
          .orderBy('expired.refresh_expires_at')
          .limit(limit),
      )
      .returning(DELETED_COLUMNS)
      .execute()
  );
}

interface SessionIds {
  readonly sessionId: string;
  readonly accountId: number;
}

export interface LiveSession {
  readonly accountId: number;
  readonly driveId: number;
  readonly username: string;
  readonly role: Role;
  readonly client: ClientType;
  readonly mustChangePassword: 0 | 1;
  /** Present only if it was requested. */
  readonly hasSecondFactor?: 0 | 1;
}

/** Two variants, because this statement runs for every request and most services require no second factor. */
const LIVE_SESSION = new CompiledOnce<SessionIds, LiveSession>((db, value) =>
  selectLiveSession(db, { sessionId: value('sessionId'), accountId: value('accountId') }).compile(),
);
const LIVE_SESSION_WITH_FACTOR = new CompiledOnce<SessionIds & LoginMethods, LiveSession>((db, value) => {
  const methods: LoginMethods = {
    passkeysWork: value('passkeysWork'),
    issuer: value('issuer'),
    issuerWithSlash: value('issuerWithSlash'),
  };
  return selectLiveSession(db, { sessionId: value('sessionId'), accountId: value('accountId') })
    .select(hasUsableFactor(methods).as('hasSecondFactor'))
    .compile();
});

function selectLiveSession(db: Db, { sessionId, accountId }: SessionIds) {
  return db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .innerJoin('drive', 'drive.account_id', 'account.id')
    .select(['account.id as accountId', 'drive.id as driveId'])
    .select(['account.username', 'account.role', 'session.client'])
    .select('account.must_change_password as mustChangePassword')
    .where('session.id', '=', sessionId)
    .where('account.id', '=', accountId)
    .where('account.banned', '=', 0);
}

/**
 * The session with that id, if it belongs to the account and the account is not banned. Runs for every
 * request with a token.
 * @param methods what counts as a second factor; undefined if the caller need not know whether there is one
 */
export function findLiveSession(
  db: Db,
  ids: SessionIds,
  methods: LoginMethods | undefined,
): Promise<LiveSession | undefined> {
  if (methods === undefined) return LIVE_SESSION.findFirst(db, ids);
  return LIVE_SESSION_WITH_FACTOR.findFirst(db, { ...ids, ...methods });
}
