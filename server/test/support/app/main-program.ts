// Runs the program as an administrator would, and captures what it prints.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildServer } from '../../../../tools/build/build-server.ts';
import { createTestDatabase } from '../database/test-database.ts';
import { endProcess } from './service-process.ts';

// For test files with `needs: build`, the test runner has already built it.
buildServer();

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const STARTS_WITHIN_MS = 60_000;

interface Program {
  readonly child: ChildProcess;
  readonly url: string;
  /** Everything that it has printed on both streams. */
  output(): string;
}

/** The programs that use each data directory. */
const programsOf = new Map<string | undefined, ChildProcess[]>();

/** Settings with a database and a data directory that outlive the process. */
export async function newHome(): Promise<Record<string, string>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'holdall-main-'));
  const database = await createTestDatabase();
  after(async () => {
    // Ends the programs here, because hooks run in the order in which they were added and theirs would run
    // later.
    await Promise.all((programsOf.get(dataDir) ?? []).map((child) => endProcess(child, 'SIGKILL')));
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    HOLDALL_PORT: '0',
    HOLDALL_DATA_DIR: dataDir,
    ...(database.url === undefined ? {} : { HOLDALL_DATABASE_URL: database.url }),
  };
}

export function run(settings: Record<string, string>, flags: readonly string[] = []) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(HOLDALL_|NODE_)/.test(name));
  const child = spawn(process.execPath, [...flags, MAIN], {
    env: { ...Object.fromEntries(inherited), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  after(() => child.kill('SIGKILL'));
  const { HOLDALL_DATA_DIR: dataDir } = settings;
  programsOf.set(dataDir, [...(programsOf.get(dataDir) ?? []), child]);
  let output = '';
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal, output }));
  const listening = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const url = /^listening on (http:\/\/\S+)$/m.exec(output)?.[1];
        if (url !== undefined) resolve(url);
      });
    }
  });
  return { child, ended, listening, output: () => output };
}

export async function start(settings: Record<string, string>): Promise<Program> {
  const { child, listening, ended, output } = run(settings);
  const late = setTimeout(() => child.kill('SIGKILL'), STARTS_WITHIN_MS);
  const url = await Promise.race([listening, ended.then(() => undefined)]);
  clearTimeout(late);
  assert(url, `it did not start:\n${output()}`);
  return { child, url, output };
}

export async function stop({ child }: Program, signal: NodeJS.Signals = 'SIGTERM') {
  const closed = once(child, 'close');
  child.kill(signal);
  const [code, by] = await closed;
  return { code, signal: by };
}

/** The text after the label, on the same line of the output. */
export function lineAfter(output: string, label: string): string {
  return new RegExp(`^${label}: (\\S+)$`, 'm').exec(output)?.[1] ?? '';
}
