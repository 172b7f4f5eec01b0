import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { appPassword, type EntryDetails, Holdall } from '../../../client/src/client.ts';
import type { Holdall as Service } from '../../../server/test/support/app/holdall.ts';
import type { Person } from '../../../server/test/support/app/person.ts';
import { inDrive } from '../../../server/test/support/drives/shared-drives.ts';
import type { DriveContext, Terminal } from '../../src/drive-command.ts';
import { LoginFile } from '../../src/login-file.ts';
import { openPair } from '../../src/sync/open-pair.ts';
import { SyncReport } from '../../src/sync/report.ts';
import { PairSync } from '../../src/sync/round/pair-sync.ts';
import type { SyncParts } from '../../src/sync/round/round.ts';
import { Pair } from './pair.ts';

interface Disturbance {
  /** Sends the requests of the sync. */
  readonly fetch?: typeof fetch;
  readonly acceptsMounts?: boolean;
  /** Lists the drive again. */
  readonly isFull?: boolean;
  /** Called after everything was synced, with the sync, so that the test can continue it. */
  readonly whenSynced?: (sync: PairSync) => Promise<void>;
  /** Replaces parts of the sync. */
  readonly change?: (parts: SyncParts) => SyncParts;
}

/** A pair of directories that is synced both ways, and that the test can disturb at a certain moment. */
export class DisturbedPair extends Pair {
  readonly #typedRemote: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #password: string;

  private constructor(person: Person, home: string, password: string, driveId: number | undefined) {
    super(driveId === undefined ? person : inDrive(person, driveId), path.join(home, 'files'), '/pair');
    this.#typedRemote = driveId === undefined ? this.remote : `drive:${driveId}${this.remote}`;
    this.#env = { HOME: home, HOLDALL_URL: person.url, HOLDALL_APP_PASSWORD: password };
    this.#password = password;
  }

  static async create(
    service: Service,
    files: Readonly<Record<string, string>> = {},
    /** Creates the shared drive of the pair, whose id it returns; by default, the drive is personal. */
    createDrive?: (person: Person) => Promise<number>,
  ): Promise<DisturbedPair> {
    const person = await service.register();
    const driveId = await createDrive?.(person);
    const { password } = await person.ask<{ password: string }>('POST', '/api/user/app-passwords', {
      body: { name: 'sync', scope: 'WRITE' },
    });
    const home = mkdtempSync(path.join(tmpdir(), 'holdall-disturbed-'));
    after(() => rmSync(home, { recursive: true, force: true }));
    const pair = new DisturbedPair(person, home, password, driveId);
    pair.writeAll(files);
    return pair;
  }

  /** Syncs once, and returns the messages of the sync. */
  async sync({
    fetch: send = fetch,
    change = (parts) => parts,
    acceptsMounts = false,
    isFull = false,
    whenSynced,
  }: Disturbance = {}): Promise<string> {
    let notes = '';
    const note = (line: string) => {
      notes += `${line}\n`;
    };
    const terminal: Terminal = {
      print: note,
      write: async () => undefined,
      note,
      progress: () => undefined,
      ask: async () => '',
    };
    const report = new SyncReport(terminal, { isVerbose: true, isJson: false, isDryRun: false });
    const end = new AbortController();
    const parts = await openPair(
      {
        ...{ local: this.local, remote: this.#typedRemote, direction: { isTwoWay: true, mayDelete: true } },
        ...{ jobs: 2, isDryRun: false, mayDeleteMany: true, acceptsMounts, isFull },
      },
      report,
      this.#contextOf(terminal, send, end.signal),
    );
    try {
      const sync = new PairSync(change(parts));
      await sync.syncAll();
      await whenSynced?.(sync);
      return notes;
    } finally {
      end.abort();
      parts.state.close();
    }
  }

  read(file: string): string {
    return readFileSync(this.at(file), 'utf8');
  }

  /** The names of all files and directories on disk. */
  names(): readonly string[] {
    return readdirSync(this.local, { recursive: true, encoding: 'utf8' }).toSorted();
  }

  /** Like {@link Pair.find}, but waits until the service has computed the checksum. */
  async findWithChecksum(file: string): Promise<EntryDetails> {
    const { id } = await this.find(file);
    for (;;) {
      const found = await this.person.ask<EntryDetails>('GET', `/api/v2/files/${id}`);
      if (found.sha256 !== null) return found;
      await settle();
    }
  }

  async readRemote(file: string, directory = this.remote): Promise<string> {
    return (await this.person.download(await this.find(file, directory))).toString();
  }

  #contextOf(terminal: Terminal, send: typeof fetch, signal: AbortSignal): DriveContext {
    return {
      env: this.#env,
      terminal,
      login: new LoginFile(this.#env),
      signal,
      findConnect: () => undefined,
      open: async (clientId) =>
        new Holdall({
          url: this.person.url,
          credentials: appPassword(this.#password),
          clientId,
          fetch: send,
        }),
    };
  }
}

/** Waits until files on disk are old enough to be trusted by their times. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 60));
}

/** A `fetch` that does something just before the first request that matches, such as `GET https://…`. */
export function beforeFirst(pattern: RegExp, work: () => Promise<unknown>): typeof fetch {
  let isDone = false;
  return async (url, request) => {
    if (!isDone && pattern.test(`${request?.method ?? 'GET'} ${url}`)) {
      isDone = true;
      await work();
    }
    return await fetch(url, request);
  };
}
