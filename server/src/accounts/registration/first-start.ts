import type { Database } from '../../database/database.ts';
import type { Settings } from '../../settings/settings.ts';
import type { AccountCreation } from '../account-creation.ts';
import { findPasswordFault } from '../account-rules.ts';
import { loadCommonPasswords } from '../passwords/common-passwords.ts';
import type { InitialPassword } from '../passwords/initial-password.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { hasAccounts } from '../queries.ts';

/** What whoever starts the service for the first time has to be told, once. */
export interface FirstStart {
  readonly adminUsername: string;
  /** Only when the service made it. */
  readonly generated: { readonly password: string; readonly file: string } | undefined;
  /** What is weak about a password that was set from outside; it is the operator's to choose. */
  readonly passwordFault: string | undefined;
  readonly inviteCode: string;
}

export interface FirstStartParts {
  readonly database: Database;
  readonly settings: Settings;
  readonly creation: AccountCreation;
  readonly initialPassword: InitialPassword;
  readonly adminUsername: string;
  readonly adminPassword: string | undefined;
  readonly inviteCode: string | undefined;
}

/**
 * With no account in the database: creates the first admin and the invite code. Of several instances that start at
 * once exactly one does; the others, like every later start, get undefined.
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
      ? { password: await initialPassword.make(), file: initialPassword.file }
      : undefined;
  const passwordHash = await hashPassword(parts.adminPassword ?? generated?.password ?? '');
  return database.transact(async (tx) => {
    // The claim decides between instances: whoever is second waits for it and finds it taken.
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
