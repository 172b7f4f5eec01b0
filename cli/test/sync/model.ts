// Makes random changes on both sides of a pair, interrupts the sync at random, and checks what must hold
// afterwards.
import assert from 'node:assert/strict';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { appPassword, Holdall } from '../../../client/src/client.ts';
import type { Holdall as Service } from '../../../server/test/support/app/holdall.ts';
import type { Person } from '../../../server/test/support/app/person.ts';
import type { DriveContext, Terminal } from '../../src/drive-command.ts';
import { LoginFile } from '../../src/login-file.ts';
import { openPair } from '../../src/sync/open-pair.ts';
import { SyncReport } from '../../src/sync/report.ts';
import { PairSync } from '../../src/sync/round/pair-sync.ts';
import { Random } from '../random.ts';

const NAMES = ['a', 'A', 'b.txt', '\u00e9.txt', 'dir', 'Dir', 'sub'];

const LOCAL_CHANGES = [
  ...['write', 'write', 'edit', 'edit', 'rename', 'rename', 'delete', 'mkdir'],
  ...['edit secretly', 'replace', 'swap', 'link'],
];
const REMOTE_CHANGES = [
  ...['write', 'write', 'edit', 'edit', 'rename', 'move', 'delete', 'mkdir'],
  ...['restore'],
];

class Ended extends Error {}

/** The shared drive of a pair. Someone else changes it and the role of the user who syncs. */
interface ModelDrive {
  readonly id: number;
  setRole(role: 'VIEWER' | 'EDITOR'): Promise<unknown>;
}

/** One pair, with the history of every content that was ever written. */
export class SyncModel {
  readonly #service: Service;
  readonly #person: Person;
  readonly #password: string;
  readonly #random: Random;
  readonly #home: string;
  readonly #local: string;
  readonly #remote: string;
  readonly #drive: ModelDrive | undefined;
  /** Every content that was ever written. */
  readonly #written = new Set<string>();
  /** Contents that were knowingly deleted or overwritten: whoever did it saw them. */
  readonly #removed = new Set<string>();
  #count = 0;
  /** The newest event of the drive that was read. */
  #cursor = 0;
  /** The paths of changes on disk. */
  readonly #touched = new Set<string>();
  /** All changes and syncs, for the message of a failure. */
  readonly log: string[] = [];

  /**
   * @param person changes the drive
   * @param password of the user who syncs
   */
  constructor(service: Service, person: Person, password: string, seed: number, drive?: ModelDrive) {
    this.#service = service;
    this.#person = person;
    this.#password = password;
    this.#random = new Random(seed);
    this.#home = mkdtempSync(path.join(tmpdir(), 'holdall-sync-model-'));
    this.#local = path.join(this.#home, 'files');
    this.#remote = `/model-${seed}`;
    this.#drive = drive;
    mkdirSync(this.#local);
  }

  /** Changes both sides and syncs, several times, and checks at the end that nothing is lost. */
  async run(rounds: number): Promise<void> {
    try {
      await this.#sync({ isCalm: true });
      for (let round = 0; round < rounds; round += 1) {
        await this.#maybeSetRole(0.5);
        for (let count = Math.floor(this.#random.next() * 4); count > 0; count -= 1) this.#changeLocal();
        for (let count = Math.floor(this.#random.next() * 4); count > 0; count -= 1)
          await this.#changeRemote();
        await this.#sync({ isCalm: this.#random.happens(0.3) });
      }
      await this.#drive?.setRole('EDITOR');
      await this.#sync({ isCalm: true, isLast: true });
      this.log.push('last');
      await this.#sync({ isCalm: true, isLast: true });
      await this.#check();
    } finally {
      rmSync(this.#home, { recursive: true, force: true });
    }
  }

  async #check(): Promise<void> {
    const local = this.#readLocal();
    const remote = await this.#readRemote();
    assert.deepEqual(local, remote, this.log.join('\n'));
    // Every content that no one removed is in the tree, and not only in the bin or among the versions.
    const present = new Set(Object.values(local));
    const missing = [...this.#written].filter((each) => !present.has(each) && !this.#removed.has(each));
    assert.deepEqual(missing, [], `lost: ${missing.join()}\n${this.log.join('\n')}`);
  }

  async #sync({
    isCalm,
    isLast = false,
  }: {
    readonly isCalm: boolean;
    readonly isLast?: boolean;
  }): Promise<void> {
    const end = new AbortController();
    const fetchOfSync: typeof fetch = async (url, request) => {
      this.#service.clock.advance(1);
      if (isCalm || /events\?|\/events$/.test(String(url))) return await fetch(url, request);
      await this.#maybeSetRole(0.04);
      if (this.#random.happens(0.05)) this.#changeLocal();
      // The change may fail, because the sync may have changed the tree that was read for it.
      if (this.#random.happens(0.05)) await this.#changeRemote().catch(() => undefined);
      const isEnd = this.#random.happens(0.06);
      const isBefore = this.#random.happens(0.3);
      if (isEnd && isBefore) this.#end(end, request, url);
      const response = await fetch(url, request);
      if (isEnd) this.#end(end, request, url);
      return response;
    };
    this.log.push(isCalm ? 'sync, calm' : 'sync');
    const context = this.#context(end.signal, fetchOfSync);
    let notes = '';
    const terminal = { ...SILENT, note: (line: string) => (notes += `${line}\n`) };
    const report = new SyncReport(terminal, { isVerbose: true, isJson: false, isDryRun: false });
    try {
      const parts = await openPair(
        {
          local: this.#local,
          remote: this.#drive === undefined ? this.#remote : `drive:${this.#drive.id}${this.#remote}`,
          direction: { isTwoWay: true, mayDelete: true },
          jobs: 2,
          isDryRun: false,
          mayDeleteMany: true,
          acceptsMounts: false,
          isFull: this.#random.happens(0.1),
        },
        report,
        context,
      );
      const steps = { ...parts, onStep: (step: string) => this.#maybeEnd(step, isCalm, end) };
      try {
        const pair = new PairSync(steps);
        await pair.syncAll();
        // Like a watch: from now on, only reported changes are synced, and nothing is scanned.
        while (!isLast && this.#random.happens(0.5)) {
          this.#touched.clear();
          for (let count = 0; count < 3; count += 1) this.#changeLocal();
          if (this.#random.happens(0.5)) await this.#changeRemote();
          this.log.push('sync of changes');
          const touched = new Set(this.#touched);
          this.#touched.clear();
          await pair.syncChanges(touched);
          // The next events report the changes made during this sync.
          await pair.syncChanges(new Set(this.#touched));
        }
      } finally {
        parts.state.close();
      }
      if (isCalm) report.progress.check('synced');
    } catch (error) {
      if (!(error instanceof Ended)) throw new Error(`${notes}\n${this.log.join('\n')}`, { cause: error });
      this.log.push(error.message);
    } finally {
      if (notes !== '')
        this.log.push(
          ...notes
            .trim()
            .split('\n')
            .map((line) => `    ${line}`),
        );
    }
  }

  async #maybeSetRole(probability: number): Promise<void> {
    if (this.#drive === undefined || !this.#random.happens(probability)) return;
    const role = this.#random.happens(0.5) ? 'VIEWER' : 'EDITOR';
    this.log.push(`  role ${role}`);
    await this.#drive.setRole(role);
  }

  #maybeEnd(step: string, isCalm: boolean, end: AbortController): void {
    if (isCalm || !this.#random.happens(0.03)) return;
    const error = new Ended(`ended at ${step}`);
    end.abort(error);
    throw error;
  }

  #end(end: AbortController, request: RequestInit | undefined, url: unknown): never {
    const error = new Ended(`ended at ${request?.method} ${String(url).replace(/^http:..[^/]*/, '')}`);
    end.abort(error);
    throw error;
  }

  #context(signal: AbortSignal, fetchOfSync: typeof fetch): DriveContext {
    const env = { HOME: this.#home, HOLDALL_URL: this.#service.url, HOLDALL_APP_PASSWORD: this.#password };
    return {
      env,
      terminal: SILENT,
      login: new LoginFile(env),
      signal,
      findConnect: () => undefined,
      open: async (clientId) =>
        new Holdall({
          url: this.#service.url,
          credentials: appPassword(this.#password),
          clientId,
          fetch: fetchOfSync,
        }),
    };
  }

  #newContent(side: string): string {
    this.#count += 1;
    const content = `${side} ${String(this.#count).padStart(5, '0')}`;
    this.#written.add(content);
    return content;
  }

  #changeLocal(): void {
    const entries = readdirSync(this.#local, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.name.startsWith('.holdall-'))
      .map((entry) => ({ file: path.join(entry.parentPath, entry.name), isDirectory: entry.isDirectory() }))
      .toSorted((a, b) => (a.file < b.file ? -1 : 1));
    const directories = [this.#local, ...entries.filter((each) => each.isDirectory).map((each) => each.file)];
    const target = path.join(this.#random.pick(directories) ?? '', this.#random.pick(NAMES) ?? '');
    const entry = this.#random.pick(entries);
    const other = this.#random.pick(entries);
    const kind = this.#random.pick(LOCAL_CHANGES);
    const name = (file: string) => path.relative(this.#local, file);
    try {
      const exists = entries.some((each) => each.file.normalize('NFC') === target.normalize('NFC'));
      if (kind === 'mkdir' && !exists) mkdirSync(target);
      else if (kind === 'write' && !exists) writeFileSync(target, this.#newContent('local'));
      else if (kind === 'edit' && entry?.isDirectory === false) {
        this.#removed.add(readFileSync(entry.file, 'utf8'));
        writeFileSync(entry.file, this.#newContent('local'));
      } else if (kind === 'edit secretly' && entry?.isDirectory === false) {
        // Same size, same modification time and, as long as it is free, the same inode.
        const { atime, mtime } = statSync(entry.file);
        this.#removed.add(readFileSync(entry.file, 'utf8'));
        writeFileSync(entry.file, this.#newContent('local'));
        utimesSync(entry.file, atime, mtime);
      } else if (kind === 'replace' && entry?.isDirectory === false) {
        // Saves the file like most editors.
        this.#removed.add(readFileSync(entry.file, 'utf8'));
        const saved = path.join(path.dirname(entry.file), '.holdall-saved');
        writeFileSync(saved, this.#newContent('local'));
        renameSync(saved, entry.file);
      } else if (kind === 'swap' && entry !== undefined && other !== undefined) {
        if (isIn(entry.file, other.file) || isIn(other.file, entry.file)) return;
        const aside = path.join(this.#local, '.holdall-aside');
        renameSync(entry.file, aside);
        renameSync(other.file, entry.file);
        renameSync(aside, other.file);
        this.#touched.add(name(other.file));
      } else if (kind === 'link' && entry?.isDirectory === false && !exists) {
        linkSync(entry.file, target);
      } else if (kind === 'rename' && entry !== undefined && !exists && !isIn(target, entry.file)) {
        renameSync(entry.file, target);
      } else if (kind === 'delete' && entry !== undefined) {
        for (const content of Object.values(this.#readLocal(entry.file))) this.#removed.add(content);
        rmSync(entry.file, { recursive: true });
      } else return;
      this.#touched.add(name(target)).add(name(entry?.file ?? target));
      this.log.push(
        `  local ${kind} ${name(target)} ${entry === undefined ? '' : name(entry.file)} ${this.#count}`,
      );
    } catch (error) {
      this.log.push(`  local ${kind} failed: ${error}`);
    }
  }

  async #changeRemote(): Promise<void> {
    this.#service.clock.advance(1);
    const entries = (await this.#person.tree(this.#remote)).toSorted((a, b) => (a.path < b.path ? -1 : 1));
    const directories = [this.#remote, ...entries.filter((each) => each.directory).map((each) => each.path)];
    const directory = this.#random.pick(directories) ?? '';
    const name = this.#random.pick(NAMES) ?? '';
    const entry = this.#random.pick(entries);
    const kind = this.#random.pick(REMOTE_CHANGES);
    const ask = (method: string, url: string, body?: unknown, headers = {}) =>
      this.#person.call(method, url, { ...(body === undefined ? {} : { body }), headers });
    this.log.push(`  remote ${kind} ${directory}/${name} ${entry?.path} ${this.#count + 1}`);
    if (kind === 'mkdir') await ask('POST', '/api/files/mkdir', { path: `${directory}/${name}` });
    else if (kind === 'write') {
      const content = this.#newContent('the drive');
      const form = new FormData();
      form.set('path', directory);
      form.set('file', new Blob([content]), name);
      const { code } = await ask('POST', '/api/files/upload', form);
      if (code !== 0) this.#written.delete(content);
    } else if (kind === 'restore') {
      const bin = await this.#person.bin();
      const recycled = this.#random.pick(bin.items.filter((each) => isIn(each.originalPath, this.#remote)));
      if (recycled === undefined) return;
      await ask('POST', `/api/files/recycle-bin/${recycled.id}/restore`, { onConflict: 'RENAME' });
    } else if (entry === undefined) return;
    else if (kind === 'edit' && !entry.directory) {
      const shown = await this.#person.fetch('GET', `/api/files/download/${entry.id}`);
      const before = await shown.text();
      const content = this.#newContent('the drive');
      // No one overwrites content that they have not seen.
      const { code } = await ask('PUT', `/api/v2/files/${entry.id}/content`, content, {
        ...{ 'content-type': 'application/octet-stream', 'if-match': shown.headers.get('etag') ?? '' },
      });
      if (code === 0) this.#removed.add(before);
      else this.#written.delete(content);
    } else if (kind === 'rename') await ask('PATCH', `/api/files/${entry.id}/rename`, { filename: name });
    else if (kind === 'move') await ask('PATCH', `/api/files/${entry.id}/move`, { path: directory });
    else if (kind === 'delete') {
      const cursor = await this.#newestCursor();
      const contents = Object.values(await this.#readRemote(entry.path));
      const { code } = await ask('DELETE', `/api/files/${entry.id}?cursor=${cursor}`);
      if (code === 0) for (const content of contents) this.#removed.add(content);
    }
  }

  async #newestCursor(): Promise<number> {
    for (let hasMore = true; hasMore; ) {
      const after = `/api/v2/files/changes?limit=1000&cursor=${this.#cursor}`;
      const page = await this.#person.ask<{ nextCursor: number; hasMore: boolean }>('GET', after);
      this.#cursor = page.nextCursor;
      hasMore = page.hasMore;
    }
    return this.#cursor;
  }

  /** Contents by path; directories have none. */
  #readLocal(top = this.#local): Record<string, string> {
    if (top !== this.#local && !isDirectory(top)) return { '': readFileSync(top, 'utf8') };
    const tree: Record<string, string> = {};
    for (const entry of readdirSync(top, { recursive: true, withFileTypes: true })) {
      if (entry.name.startsWith('.holdall-')) continue;
      const file = path.join(entry.parentPath, entry.name);
      const name = path.relative(top, file).normalize('NFC');
      tree[entry.isDirectory() ? `${name}/` : name] = entry.isDirectory() ? '' : readFileSync(file, 'utf8');
    }
    delete tree[''];
    return sortTree(tree);
  }

  async #readRemote(top = this.#remote): Promise<Record<string, string>> {
    const tree: Record<string, string> = {};
    for (const record of await this.#person.tree(this.#remote)) {
      if (record.path !== top && !record.path.startsWith(`${top}/`)) continue;
      const name = record.path.slice(top.length + 1);
      tree[record.directory ? `${name}/` : name] = record.directory
        ? ''
        : (await this.#person.download(record)).toString();
    }
    return sortTree(tree);
  }
}

const SILENT: Terminal = {
  print: () => undefined,
  write: async () => undefined,
  note: () => undefined,
  progress: () => undefined,
  ask: async () => '',
};

function isIn(file: string, directory: string): boolean {
  return file === directory || file.startsWith(`${directory}/`);
}

function isDirectory(file: string): boolean {
  try {
    readdirSync(file);
    return true;
  } catch {
    return false;
  }
}

function sortTree(tree: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
