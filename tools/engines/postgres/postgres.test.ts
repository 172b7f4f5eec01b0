// tier: full
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from './postgres.ts';
import {
  findPrograms,
  makeReachableDirectory,
  NO_POSTGRES,
  toReadablePrograms,
} from './postgres-programs.ts';

test('a started PostgreSQL answers, sorts by locale and accepts 500 connections', async () => {
  const postgres = await startPostgres({ fsync: false });
  after(() => postgres.stop());
  assert.equal(await ask(postgres.url, 'show max_connections'), '500');
  assert.equal(await ask(postgres.url, 'show fsync'), 'off');
  assert.equal(await ask(postgres.url, `select 'a' < 'B'`), true);
  assert.equal(await ask(postgres.url, `select 'a' < 'B' collate "C"`), false);
});

test('a connection without the password is rejected', async () => {
  const postgres = await startPostgres({ fsync: false });
  after(() => postgres.stop());
  const url = new URL(postgres.url);
  url.password = 'guessed';
  await assert.rejects(ask(url.href, 'select 1'), /password authentication failed/);
});

test('flushing can be enabled, and a stopped PostgreSQL leaves nothing behind', async () => {
  const postgres = await startPostgres({ fsync: true });
  after(() => postgres.stop());
  assert.equal(await ask(postgres.url, 'show fsync'), 'on');
  const data = await ask(postgres.url, 'show data_directory');
  assert(typeof data === 'string' && existsSync(path.dirname(data)));
  await postgres.stop();
  assert.equal(existsSync(path.dirname(data)), false);
  await assert.rejects(ask(postgres.url, 'select 1'), /ECONNREFUSED/);
  await postgres.stop();
});

for (const [how, act] of [
  ['by SIGTERM', 'process.kill(process.pid, "SIGTERM")'],
  ['by SIGINT', 'process.kill(process.pid, "SIGINT")'],
  ['by SIGKILL', 'process.kill(process.pid, "SIGKILL")'],
  ['with process.exit', 'process.exit(7)'],
] as const) {
  test(`it ends when its program ends ${how}`, async () => {
    const script = `
      const { startPostgres } = await import(${JSON.stringify(path.join(import.meta.dirname, 'postgres.ts'))});
      const { default: pg } = await import('pg');
      const { url } = await startPostgres({ fsync: false });
      const client = new pg.Client(url);
      client.on('error', () => {});
      await client.connect();
      const { rows } = await client.query("select current_setting('data_directory') as data");
      process.stdout.write(url + ' ' + rows[0].data, () => ${act});
    `;
    const program = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    program.stdout.on('data', (chunk) => {
      said += chunk;
    });
    const [code, signal] = await once(program, 'close');
    assert.equal(
      signal ?? code,
      { 'by SIGTERM': 'SIGTERM', 'by SIGINT': 'SIGINT', 'by SIGKILL': 'SIGKILL', 'with process.exit': 7 }[
        how
      ],
    );
    const [url = '', data = ''] = said.split(' ');
    for (let turn = 0; turn < 300 && existsSync(path.dirname(data)); turn += 1) await sleep(20);
    assert.equal(existsSync(path.dirname(data)), false);
    await assert.rejects(ask(url, 'select 1'), /ECONNREFUSED/);
  });
}

test('programs that the server may read stay in place', () => {
  const directory = makeReachableDirectory();
  after(() => rmSync(directory, { recursive: true }));
  const readable = toReadablePrograms(findPrograms(), directory);
  assert.equal(toReadablePrograms(readable, directory), readable);
});

test('programs below a closed directory are copied if another user must run them', () => {
  const closed = mkdtempSync(path.join(tmpdir(), 'holdall-closed-'));
  const directory = makeReachableDirectory();
  after(() => {
    rmSync(closed, { recursive: true });
    rmSync(directory, { recursive: true });
  });
  const hidden = path.join(closed, 'native');
  cpSync(path.dirname(findPrograms()), hidden, { recursive: true, verbatimSymlinks: true });
  const readable = toReadablePrograms(path.join(hidden, 'bin'), directory);
  const copied = path.join(directory, 'programs', 'bin');
  assert.equal(readable, process.getuid?.() === 0 ? copied : path.join(hidden, 'bin'));
});

test('programs that do not run cause an error that names them', () => {
  const directory = makeReachableDirectory();
  after(() => rmSync(directory, { recursive: true }));
  const empty = path.join(directory, 'empty', 'bin');
  mkdirSync(empty, { recursive: true });
  assert.throws(() => toReadablePrograms(empty, directory), /^Error: PostgreSQL does not run: .*empty/);
});

test('without PostgreSQL the error says what to install', () => {
  assert.throws(() => findPrograms([path.join(tmpdir(), 'nowhere')]), { message: NO_POSTGRES });
});

async function ask(url: string, question: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: question, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}
