import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Person } from '../../../server/test/support/app/person.ts';
import type { CommandLine } from '../command-line.ts';

/** A new directory on disk, and a directory in a drive. */
export class Pair {
  /** Someone whose calls choose the drive. */
  readonly person: Person;
  readonly local: string;
  readonly remote: string;

  constructor(person: Person, local: string, remote: string) {
    this.person = person;
    this.local = local;
    this.remote = remote;
    mkdirSync(local);
  }

  at(file: string): string {
    return path.join(this.local, file);
  }

  write(file: string, content: string): void {
    mkdirSync(path.dirname(this.at(file)), { recursive: true });
    writeFileSync(this.at(file), content);
  }

  writeAll(files: Readonly<Record<string, string>>): void {
    for (const [file, content] of Object.entries(files)) this.write(file, content);
  }

  /** The paths of all files with their contents. Directories end with `/`. */
  localTree(): Record<string, string> {
    const tree: Record<string, string> = {};
    for (const entry of readdirSync(this.local, { recursive: true, withFileTypes: true })) {
      const file = path.relative(this.local, path.join(entry.parentPath, entry.name));
      if (entry.isDirectory()) tree[`${file}/`] = '';
      else if (entry.isFile()) tree[file] = readFileSync(this.at(file), 'utf8');
    }
    return sorted(tree);
  }

  async remoteTree(): Promise<Record<string, string>> {
    const tree: Record<string, string> = {};
    for (const record of await this.person.tree(this.remote)) {
      const file = record.path.slice(this.remote.length + 1);
      if (file === '') continue;
      if (record.directory) tree[`${file}/`] = '';
      else tree[file] = (await this.person.download(record)).toString();
    }
    return sorted(tree);
  }

  async find(file: string, directory = this.remote) {
    const found = (await this.person.tree(directory)).find((entry) => entry.path === `${directory}/${file}`);
    assert.ok(found, `${directory}/${file} is not in the drive`);
    return found;
  }

  /** Replaces the content of a file of the drive. */
  async edit(file: string, content: string, modifiedAt?: string): Promise<void> {
    const query = modifiedAt === undefined ? '' : `?modifiedAt=${encodeURIComponent(modifiedAt)}`;
    await this.person.ask('PUT', `/api/v2/files/${(await this.find(file)).id}/content${query}`, {
      body: content,
      headers: { 'content-type': 'application/octet-stream' },
    });
  }

  async recycle(file: string): Promise<void> {
    await this.person.recycle(await this.find(file));
  }
}

/** A pair that a user syncs with the command line. */
export class CommandPair extends Pair {
  readonly #user: CommandLine;

  constructor(user: CommandLine, person: Person, local: string, remote: string) {
    super(person, local, remote);
    this.#user = user;
  }

  /** The directory of the drive, as the user types it. */
  get typedRemote(): string {
    return this.remote;
  }

  sync(...options: readonly string[]) {
    return this.#user.run(['sync', this.local, this.typedRemote, ...options]);
  }

  /** Syncs, and fails the test unless the sync succeeds. */
  async syncWell(...options: readonly string[]): Promise<string> {
    const { code, notes, out } = await this.sync(...options);
    assert.equal(code, 0, notes);
    return notes + out;
  }
}

export function sorted(tree: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
