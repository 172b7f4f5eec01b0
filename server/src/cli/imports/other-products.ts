// The users and directories of other products, as their documentation describes them.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { CommandFault } from '../command.ts';

/** Unfinished uploads to Nextcloud. */
const NEXTCLOUD_LEFTOVER = /\.ocTransferId\d+\.part$/;

/** A user of another product. */
export interface ForeignUser {
  readonly username: string;
  /** The directory with their files. */
  readonly directory: string;
  /** Names that are left out. */
  readonly leftOut?: RegExp;
}

/**
 * The users of Nextcloud: https://docs.nextcloud.com/server/latest/admin_manual/ names the data directory, in
 * which `USER/files` has the files of each user.
 * @throws CommandFault if this is not a data directory of Nextcloud, or if the files are encrypted
 */
export function listNextcloudUsers(dataDirectory: string): readonly ForeignUser[] {
  const names = listDirectories(dataDirectory);
  const encrypted = names.find(
    (name) => name === 'files_encryption' || existsSync(path.join(dataDirectory, name, 'files_encryption')),
  );
  if (encrypted !== undefined) {
    throw new CommandFault(
      'Nextcloud has encrypted these files. Decrypt them there first: occ encryption:decrypt-all',
    );
  }
  const users = names
    .filter((name) => !/^(?:appdata_|updater-|__|files_external$)/.test(name))
    .map((username) => ({ username, directory: path.join(dataDirectory, username, 'files') }))
    .map((user) => ({ ...user, leftOut: NEXTCLOUD_LEFTOVER }))
    .filter(({ directory }) => statSync(directory, { throwIfNoEntry: false })?.isDirectory());
  if (users.length === 0) {
    throw new CommandFault(`${dataDirectory} is no data directory of Nextcloud: it has no USER/files.`);
  }
  return users;
}

/**
 * The users of File Browser, from the file that `filebrowser users export FILE.json` writes: each has a
 * `scope`, a directory below the root of the server.
 * @throws CommandFault for a file that is not such a list
 */
export function readFilebrowserUsers(root: string, file: string): readonly ForeignUser[] {
  const list: unknown = parse(file);
  if (!Array.isArray(list) || list.length === 0) throw notAList(file);
  return list.map((each: unknown) => {
    if (typeof each !== 'object' || each === null || !('username' in each) || !('scope' in each))
      throw notAList(file);
    const { username, scope } = each;
    if (typeof username !== 'string' || typeof scope !== 'string') throw notAList(file);
    // Resolved at `/` first, so that no scope leads out of the root.
    return { username, directory: path.join(root, path.posix.resolve('/', scope)) };
  });
}

function parse(file: string): unknown {
  try {
    return JSON.parse(decode(readFileSync(file)));
  } catch (error) {
    throw new CommandFault(`${file} cannot be read as JSON.`, { cause: error });
  }
}

/** Decodes UTF-8, or the UTF-16 that PowerShell writes. Both may begin with a byte order mark. */
function decode(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes);
}

function notAList(file: string): CommandFault {
  return new CommandFault(`${file} is not what "filebrowser users export" writes.`);
}

/** @throws CommandFault if there is no such directory */
function listDirectories(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    throw new CommandFault(`${directory} cannot be read.`, { cause: error });
  }
}
