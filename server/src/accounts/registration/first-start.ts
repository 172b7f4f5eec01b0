import type { Database } from '../../database/database.ts';
import type { Settings } from '../../settings/settings.ts';
import type { AccountCreation } from '../account-creation.ts';
import { findPasswordFault } from '../account-rules.ts';
import { loadCommonPasswords } from '../passwords/common-passwords.ts';
import type { InitialPassword } from '../passwords/initial-password.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { hasAccounts } from '../queries.ts';

/** What the first start tells the operator, once. */
export interface FirstStart {
  readonly adminUsername: string;
  /** The generated password; undefined if the password was set in the environment. */
  readonly generated: { readonly password: string; readonly file: string } | undefined;
  /** Why a password from the environment is weak. It is accepted nevertheless: the operator decides. */
  readonly passwordFault: string | undefined;
  readonly inviteCode: string;
}

interface FirstStartParts {
  readonly database: Database;
  readonly settings: Settings;
  readonly creation: AccountCreation;
  readonly initialPassword: InitialPassword;
  readonly adminUsername: string;
  readonly adminPassword: string | undefined;
  readonly inviteCode: string | undefined;
}

/**
 * Creates the first admin and the invite code if the database has no account. If several instances start at
 * the same time, exactly one of them does this. The others, and every later start, get undefined.
 */
export async function runFirstStart(parts: FirstStartParts): Promise<FirstStart | undefined> {
  const { database, initialPassword, adminUsername } = parts;
  const first = (await hasAccounts(database.db)) ? undefined : await createAdmin(parts);
  if (first?.generated === undefined) await initialPassword.removeStale(database.db);
  if (first === undefined) return undefined;
  const passwordFault =
    parts.adminPassword === undefined
      ? undefined
      : findPasswordFault(parts.adminPassword, adminUsername, await loadCommonPasswords());
  return { adminUsername, passwordFault, ...first };
}

async function createAdmin(
  parts: FirstStartParts,
): Promise<Pick<FirstStart, 'generated' | 'inviteCode'> | undefined> {
  const { database, settings, creation, initialPassword } = parts;
  const generated =
    parts.adminPassword === undefined
      ? { password: await initialPassword.generate(), file: initialPassword.file }
      : undefined;
  const passwordHash = await hashPassword(parts.adminPassword ?? generated?.password ?? '', {});
  return database.transact(async (tx) => {
    // The claim decides between instances: the second one waits for it and finds it taken.
    if ((await hasAccounts(tx)) || !(await settings.claimOnce(tx, 'first-start'))) return undefined;
    const admin = await creation.create(tx, {
      username: parts.adminUsername,
      email: null,
      phoneNumber: null,
      passwordHash,
      role: 'ADMIN',
    });
    if (generated !== undefined) await initialPassword.assign(tx, admin.id);
    return { generated, inviteCode: await settings.getOrCreateInviteCode(tx, parts.inviteCode) };
  });
}
