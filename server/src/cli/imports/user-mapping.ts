import { foldUsername } from '../../accounts/accounts.ts';
import { CommandFault } from '../command.ts';
import type { ForeignUser } from './other-products.ts';

/**
 * Gives users of another product other names: their names may be none here, such as `ann@example.org`.
 * @param mappings such as `ann@example.org=ann`
 * @throws CommandFault for another text, for a user that does not exist or is named twice, and if two users would
 *   get one account
 */
export function mapUsers(users: readonly ForeignUser[], mappings: readonly string[]): readonly ForeignUser[] {
  const names = new Map<string, string>();
  for (const mapping of mappings) {
    // Names of accounts have no "=", but those of other products may.
    const end = mapping.lastIndexOf('=');
    const [from, to] = [mapping.slice(0, Math.max(0, end)), mapping.slice(end + 1)];
    if (from === '' || to === '') throw new CommandFault(`--map-user is OLD=NEW, and not "${mapping}".`);
    if (names.has(from)) throw new CommandFault(`--map-user names "${from}" twice.`);
    if (!users.some(({ username }) => username === from)) {
      throw new CommandFault(`There is no user "${from}" to map.`);
    }
    names.set(from, to);
  }
  const mapped = users.map((user) => ({ ...user, username: names.get(user.username) ?? user.username }));
  for (const to of names.values()) {
    if (mapped.filter(({ username }) => foldUsername(username) === foldUsername(to)).length > 1)
      throw new CommandFault(`Two users would get the account "${to}".`);
  }
  return mapped;
}
