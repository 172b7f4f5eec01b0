// tier: full
// runs on: sqlite
// A service is reinstalled, or restored from a backup, under the same URL. Its ids then mean other entries.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { appPassword, Holdall } from '../../../client/src/client.ts';
import { type Holdall as Service, startHoldall } from '../../../server/test/support/app/holdall.ts';
import type { Person } from '../../../server/test/support/app/person.ts';
import { LoginFile } from '../../src/login-file.ts';
import { openPair } from '../../src/sync/open-pair.ts';
import { SyncReport } from '../../src/sync/report.ts';
import { PairSync } from '../../src/sync/round/pair-sync.ts';

/** The URL of every service in these tests, as the syncing computer sees it. */
const URL_OF_ALL = 'http://drive.example';

interface Side {
  readonly service: Service;
  readonly person: Person;
  readonly password: string;
}

async function startSide(): Promise<Side> {
  const service = await startHoldall();
  const person = await service.register();
  const { password } = await person.ask<{ password: string }>('POST', '/api/user/app-passwords', {
    body: { name: 'sync', scope: 'WRITE' },
  });
  return { service, person, password };
}

const folder = mkdtempSync(path.join(tmpdir(), 'holdall-sync-replaced-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;

/** A directory on disk that is synced with `/pair`. */
class Computer {
  readonly #home: string;
  readonly #local: string;

  constructor(files: Readonly<Record<string, string>>) {
    count += 1;
    this.#home = path.join(folder, `${count}`);
    this.#local = path.join(this.#home, 'files');
    mkdirSync(this.#local, { recursive: true });
    for (const [file, content] of Object.entries(files)) writeFileSync(path.join(this.#local, file), content);
  }

  async sync({ service, password }: Side, { isFull = false } = {}): Promise<string> {
    const env = { HOME: this.#home, HOLDALL_URL: URL_OF_ALL, HOLDALL_APP_PASSWORD: 'the same account' };
    let notes = '';
    const terminal = {
      print: () => undefined,
      write: async () => undefined,
      note: (line: string) => {
        notes += `${line}\n`;
      },
      progress: () => undefined,
      ask: async () => '',
    };
    const report = new SyncReport(terminal, { isVerbose: true, isJson: false, isDryRun: false });
    const parts = await openPair(
      {
        local: this.#local,
        remote: '/pair',
        direction: { isTwoWay: true, mayDelete: true },
        jobs: 2,
        isDryRun: false,
        mayDeleteMany: true,
        acceptsMounts: false,
        isFull,
      },
      report,
      {
        env,
        terminal,
        login: new LoginFile(env),
        signal: new AbortController().signal,
        findConnect: () => undefined,
        open: async (clientId) =>
          new Holdall({ url: service.url, credentials: appPassword(password), clientId }),
      },
    );
    try {
      await new PairSync(parts).syncAll();
    } finally {
      parts.state.close();
    }
    report.progress.check('synced');
    return notes;
  }

  contents(): readonly string[] {
    return readdirSync(this.#local)
      .map((name) => readFileSync(path.join(this.#local, name), 'utf8'))
      .toSorted();
  }
}

const TAXES = Object.fromEntries([1, 2, 3].map((number) => [`taxes-${number}.txt`, `taxes ${number}`]));
const CATS = [1, 2, 3, 4, 5, 6].map((number) => `cat ${number}`);

/** Starts another service. Its files are newer, and have the ids that other files had in the first one. */
async function startOther(known: Side): Promise<Side> {
  const other = await startSide();
  other.service.clock.advance(60 * 60 * 1_000);
  await other.person.logIn();
  await other.person.mkdir('/pair');
  for (const cat of CATS) await other.person.upload(`/pair/${cat}.jpg`, cat);
  const ids = new Set((await other.person.tree('/pair')).map(({ id }) => id));
  const files = (await known.person.tree('/pair')).filter(({ directory }) => !directory);
  assert.ok(files.every(({ id }) => ids.has(id)));
  return other;
}

describe('after the service was reinstalled,', () => {
  for (const { name, noise, isFull } of [
    { name: 'with fewer events than before', noise: 0, isFull: false },
    { name: 'with more events than before', noise: 30, isFull: false },
    { name: 'with more events than before, and --full', noise: 30, isFull: true },
    { name: 'with fewer events than before, and --full', noise: 0, isFull: true },
  ]) {
    test(`holdall sync loses nothing, ${name}`, async () => {
      const first = await startSide();
      const computer = new Computer(TAXES);
      await computer.sync(first);
      // Created after its files, so that their ids are small enough for the other service.
      if (noise === 0) for (let each = 0; each < 30; each += 1) await first.person.mkdir(`/noise-${each}`);
      await computer.sync(first);
      const other = await startOther(first);
      for (let each = 0; each < noise; each += 1) await other.person.mkdir(`/noise-${each}`);
      const notes = await computer.sync(other, { isFull });
      const expected = [...Object.values(TAXES), ...CATS].toSorted();
      assert.deepEqual(computer.contents(), expected, notes);
      assert.doesNotMatch(notes, /move|delete/);
      await computer.sync(other);
      assert.deepEqual(computer.contents(), expected);
      const inDrive = (await other.person.tree('/pair')).filter(({ directory }) => !directory);
      assert.equal(inDrive.length, expected.length);
    });
  }

  test('a file that another computer has synced since does not count as a newer version', async () => {
    const first = await startSide();
    const computer = new Computer({ 'taxes.txt': 'the newest taxes' });
    await computer.sync(first);
    const { id } = (await first.person.tree('/pair')).find(({ directory }) => !directory) ?? {};
    const other = await startSide();
    other.service.clock.advance(60 * 60 * 1_000);
    await other.person.logIn();
    await other.person.mkdir('/pair');
    await other.person.upload('/pair/taxes.txt', 'old taxes');
    assert.equal((await other.person.tree('/pair')).find(({ directory }) => !directory)?.id, id);
    for (let each = 0; each < 30; each += 1) await other.person.mkdir(`/noise-${each}`);
    await computer.sync(other);
    assert.deepEqual(computer.contents(), ['old taxes', 'the newest taxes']);
  });
});

describe('a full listing of the same service', () => {
  test('still applies deletions made in the drive', async () => {
    const side = await startSide();
    const computer = new Computer(TAXES);
    await computer.sync(side);
    const found = (await side.person.tree('/pair')).find(({ path: at }) => at === '/pair/taxes-1.txt');
    assert.ok(found);
    await side.person.recycle(found);
    await computer.sync(side, { isFull: true });
    assert.deepEqual(computer.contents(), ['taxes 2', 'taxes 3']);
  });
});
