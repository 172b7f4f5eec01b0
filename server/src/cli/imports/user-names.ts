import { isUsername } from '../../accounts/accounts.ts';
import { CommandFault } from '../command.ts';
import type { ForeignUser } from './other-products.ts';

/** Users whose names the command line has mapped, and what they were called there. */
export interface NamedUser extends ForeignUser {
  readonly foreignName: string;
}

/**
 * Gives users of another product the names that `--map-user OLD=NEW` says. Other products allow names that are
 * none here, such as e-mail addresses.
 * @throws CommandFault for a mapping that cannot be meant, also if the files of two users would be mixed
 */
export function nameUsers(users: readonly ForeignUser[], mappings: readonly string[]): readonly NamedUser[] {
  const newNames = new Map<string, string>();
  for (const mapping of mappings) {
    const [oldName, newName] = parseMapping(mapping);
    if (newNames.has(oldName)) throw new CommandFault(`--map-user names ${quote(oldName)} twice.`);
    if (!users.some(({ username }) => username === oldName))
      throw new CommandFault(`--map-user: there is no user ${quote(oldName)} to import.`);
    newNames.set(oldName, newName);
  }
  const named = users.map((user) => ({
    ...user,
    foreignName: user.username,
    username: newNames.get(user.username) ?? user.username,
  }));
  if (mappings.length > 0) checkDistinct(named);
  return named;
}

/** A new name has no equals sign, so the last one divides. */
function parseMapping(mapping: string): readonly [string, string] {
  const at = mapping.lastIndexOf('=');
  const newName = mapping.slice(at + 1);
  if (at <= 0) throw new CommandFault(`--map-user is OLD=NEW, not ${quote(mapping)}.`);
  if (!isUsername(newName)) {
    throw new CommandFault(
      `--map-user: ${quote(newName)} is not a username: 3 to 64 letters (A-Z), digits or the signs . _ -`,
    );
  }
  return [mapping.slice(0, at), newName];
}

function checkDistinct(users: readonly NamedUser[]): void {
  const owners = new Map<string, string>();
  for (const { username, foreignName } of users) {
    const key = username.toLowerCase();
    const other = owners.get(key);
    if (other !== undefined && other !== foreignName) {
      throw new CommandFault(`${quote(other)} and ${quote(foreignName)} would both become ${username}.`);
    }
    owners.set(key, foreignName);
  }
}

function quote(name: string): string {
  return JSON.stringify(name);
}
