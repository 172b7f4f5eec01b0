import type { Instant } from '../../base/clock.ts';
import type { AppPasswordScope, Role } from '../../base/domain/accounts.ts';
import { CompiledOnce } from '../../database/compiled-once.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { LoginMethods } from '../security/login-methods.ts';
import { hasUsableFactor } from '../security/queries.ts';

export interface AppPassword {
  readonly id: number;
  readonly name: string;
  readonly scope: AppPasswordScope;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly lastUsedAt: Instant | null;
}

const COLUMNS = [
  'id',
  'name',
  'scope',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'last_used_at as lastUsedAt',
] as const;

export async function insertAppPassword(
  tx: Tx,
  accountId: number,
  passwordHash: string,
  { name, scope, createdAt, expiresAt }: Omit<AppPassword, 'id' | 'lastUsedAt'>,
): Promise<AppPassword> {
  return tx
    .insertInto('app_password')
    .values({
      account_id: accountId,
      name,
      scope,
      password_hash: passwordHash,
      expires_at: expiresAt,
      created_at: createdAt,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Newest first. */
export async function listAppPasswords(db: Db, accountId: number): Promise<readonly AppPassword[]> {
  return db
    .selectFrom('app_password')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .execute();
}

export async function countAppPasswords(tx: Tx, accountId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('app_password')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns what it deleted; undefined if there was nothing to delete. */
export async function deleteAppPassword(
  tx: Tx,
  accountId: number,
  id: number,
): Promise<Pick<AppPassword, 'name' | 'scope'> | undefined> {
  return tx
    .deleteFrom('app_password')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning(['name', 'scope'])
    .executeTakeFirst();
}

export async function deleteAppPasswordsOf(tx: Tx, accountId: number): Promise<void> {
  await tx.deleteFrom('app_password').where('account_id', '=', accountId).execute();
}

export async function deleteExpiredAppPasswords(tx: Tx, accountId: number, now: Instant): Promise<void> {
  await tx
    .deleteFrom('app_password')
    .where('account_id', '=', accountId)
    .where('expires_at', '<=', now)
    .execute();
}

/** Only one of several racing requests writes. */
export async function setLastUsed(tx: Tx, id: number, now: Instant, unlessAfter: Instant): Promise<void> {
  await tx
    .updateTable('app_password')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', unlessAfter)]))
    .execute();
}

/** Databases limit the number of parameters per statement. */
const MAX_PARAMETERS = 1_000;

/** Returns the app passwords that exist, have not expired, and whose account is not banned. */
export async function findLiveAppPasswords(
  db: Db,
  ids: readonly number[],
  now: Instant,
): Promise<readonly number[]> {
  const live: number[] = [];
  for (let from = 0; from < ids.length; from += MAX_PARAMETERS) {
    const rows = await db
      .selectFrom('app_password')
      .innerJoin('account', 'account.id', 'app_password.account_id')
      .select('app_password.id')
      .where('app_password.id', 'in', ids.slice(from, from + MAX_PARAMETERS))
      .where('account.banned', '=', 0)
      .where((where) =>
        where.or([where('app_password.expires_at', 'is', null), where('app_password.expires_at', '>', now)]),
      )
      .execute();
    live.push(...rows.map(({ id }) => id));
  }
  return live;
}

interface PasswordHash {
  readonly passwordHash: string;
}

/** An app password and its account. */
export interface KnownAppPassword {
  readonly id: number;
  readonly scope: AppPasswordScope;
  readonly expiresAt: Instant | null;
  readonly lastUsedAt: Instant | null;
  readonly accountId: number;
  readonly driveId: number;
  readonly username: string;
  readonly role: Role;
  readonly banned: 0 | 1;
  /** Present only if it was requested. */
  readonly hasSecondFactor?: 0 | 1;
}

/** Two variants, because this statement runs for every request and most services require no second factor. */
const KNOWN_APP_PASSWORD = new CompiledOnce<PasswordHash, KnownAppPassword>((db, value) =>
  selectKnownAppPassword(db, value('passwordHash')).compile(),
);
const KNOWN_APP_PASSWORD_WITH_FACTOR = new CompiledOnce<PasswordHash & LoginMethods, KnownAppPassword>(
  (db, value) => {
    const methods: LoginMethods = {
      passkeysWork: value('passkeysWork'),
      issuer: value('issuer'),
      issuerWithSlash: value('issuerWithSlash'),
    };
    return selectKnownAppPassword(db, value('passwordHash'))
      .select(hasUsableFactor(methods).as('hasSecondFactor'))
      .compile();
  },
);

function selectKnownAppPassword(db: Db, passwordHash: string) {
  return db
    .selectFrom('app_password')
    .innerJoin('account', 'account.id', 'app_password.account_id')
    .innerJoin('drive', 'drive.account_id', 'account.id')
    .select(['app_password.id', 'app_password.scope', 'app_password.expires_at as expiresAt'])
    .select(['app_password.last_used_at as lastUsedAt', 'account.id as accountId', 'drive.id as driveId'])
    .select(['account.username', 'account.role', 'account.banned'])
    .where('app_password.password_hash', '=', passwordHash);
}

/**
 * Runs for every request with an app password.
 * @param methods what counts as a second factor; undefined if the caller need not know whether there is one
 */
export function findKnownAppPassword(
  db: Db,
  passwordHash: string,
  methods: LoginMethods | undefined,
): Promise<KnownAppPassword | undefined> {
  if (methods === undefined) return KNOWN_APP_PASSWORD.findFirst(db, { passwordHash });
  return KNOWN_APP_PASSWORD_WITH_FACTOR.findFirst(db, { passwordHash, ...methods });
}
