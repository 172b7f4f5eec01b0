import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { each, runLoad } from '../load/load.ts';
import { jsonRequest, uploadRequest } from '../load/requests.ts';
import { writeSmallFiles } from '../local-files.ts';
import { type Case, type Figure, inTurn, repeat } from '../report/figure.ts';
import { readText, type Service } from '../service.ts';
import { LeftOut, type Stage } from '../stage.ts';
import { uploadBig } from './archive.ts';

const PROGRAM = path.join(import.meta.dirname, '..', '..', 'server', 'dist', 'cli', 'main.js');
const CONTENT_BYTES = 4_096;
const CONNECTIONS = 16;
const MEGABYTE = 1_000_000;
const FILES_PER_DIRECTORY = 1_000;

/** `holdall put`, `get` and `sync` as processes of their own, on the core of the client. */
export const commandLine: Case = {
  name: 'command-line',
  measure: (stage) =>
    stage.withService((service) =>
      stage.withDirectory(async (directory) => {
        const user = await User.create(service, directory);
        const put = await measurePut(stage, service, user);
        const get = await measureGet(stage, service, user);
        return [put, get, ...(await measureSync(stage, service, user))];
      }),
    ),
};

/** Somebody who types commands. */
class User {
  readonly directory: string;
  readonly #environment: Readonly<Record<string, string>>;

  private constructor(directory: string, environment: Readonly<Record<string, string>>) {
    this.directory = directory;
    this.#environment = environment;
  }

  static async create(service: Service, directory: string): Promise<User> {
    const body = { name: 'bench', scope: 'WRITE' };
    const made = await service.call(jsonRequest('POST', '/api/user/app-passwords', body, service.token));
    return new User(directory, {
      HOME: directory,
      HOLDALL_URL: `http://127.0.0.1:${service.port}`,
      HOLDALL_APP_PASSWORD: readText(made, 'password'),
    });
  }

  /** Starts a command; the lines that it writes to standard error go to `onNote`. */
  start(words: readonly string[], onNote: (line: string) => void): ChildProcess {
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      env: { ...process.env, ...this.#environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (child.stderr !== null) createInterface(child.stderr).on('line', onNote);
    return child;
  }

  /** Runs a command to its end and returns the seconds that it took. */
  async run(...words: string[]): Promise<number> {
    const notes: string[] = [];
    const start = performance.now();
    const [code] = await once(
      this.start(words, (line) => notes.push(line)),
      'close',
    );
    if (code !== 0) throw new Error(`holdall ${words[0]} ended with ${code}: ${notes.join('\n')}`);
    return (performance.now() - start) / 1_000;
  }
}

/** Many small files, beside the client of the benchmark, with as many requests at a time. */
async function measurePut(stage: Stage, service: Service, user: User): Promise<Figure> {
  const { runs, directorySizes } = stage.scale;
  const [, files] = directorySizes;
  const from = path.join(user.directory, 'small');
  await writeSmallFiles(from, files);
  const rates = await inTurn(
    runs,
    async (run) => {
      await service.makeDirectory(`/put ${run}`);
      const words = ['--jobs', String(CONNECTIONS), `${from}/`, `/put ${run}`];
      return files / (await user.run('put', ...words));
    },
    async (run) => {
      const directory = `/load ${run}`;
      await service.makeDirectory(directory);
      const requests = Array.from({ length: files }, (_, index) =>
        uploadRequest(
          { directory, filename: `file ${index}.bin`, token: service.token },
          randomBytes(CONTENT_BYTES),
        ),
      );
      const load = { port: service.port, connections: CONNECTIONS, next: each(requests) };
      const { answers, seconds } = await runLoad(load);
      return answers / seconds;
    },
  );
  await rm(from, { recursive: true });
  return { name: 'holdall put of 10,000 files of 4 KiB', unit: 'files/s', ...rates };
}

/** One large file, beside curl. */
async function measureGet(stage: Stage, service: Service, user: User): Promise<Figure> {
  const { runs, bigFileBytes } = stage.scale;
  await uploadBig(service, '/', bigFileBytes);
  const { id } = await service.findFile('/', 'big.bin');
  const into = path.join(user.directory, 'big.bin');
  const url = `http://127.0.0.1:${service.port}/api/files/download/${id}`;
  const rates = await inTurn(
    runs,
    async () => {
      await rm(into, { force: true });
      return bigFileBytes / MEGABYTE / (await user.run('get', '/big.bin', into));
    },
    async () => {
      await rm(into, { force: true });
      const start = performance.now();
      const args = ['-sSf', '-o', into, '-H', `Authorization: Bearer ${service.token}`, url];
      const [code] = await once(spawn('curl', args, { stdio: 'inherit' }), 'close').catch((cause) => {
        throw new LeftOut('There is no curl on this machine.', { cause });
      });
      if (code !== 0) throw new Error(`curl ended with ${code}`);
      return bigFileBytes / MEGABYTE / ((performance.now() - start) / 1_000);
    },
  );
  await rm(into);
  return { name: 'holdall get of 1 GiB', unit: 'MB/s', ...rates };
}

/** A large tree that is equal on both sides, and one that stays equal while a file changes. */
async function measureSync(stage: Stage, service: Service, user: User): Promise<readonly Figure[]> {
  const { runs, directorySizes } = stage.scale;
  const [, , files] = directorySizes;
  const local = path.join(user.directory, 'tree');
  stage.say(`syncing ${files.toLocaleString('en')} files for the first time`);
  for (let made = 0; made < files; made += FILES_PER_DIRECTORY)
    await writeSmallFiles(path.join(local, `${made}`), Math.min(FILES_PER_DIRECTORY, files - made));
  await service.makeDirectory('/tree');
  await user.run('sync', local, '/tree', '--two-way', '--jobs', '16');
  const unchanged = await repeat(runs, () => user.run('sync', local, '/tree', '--two-way'));
  const delays = await measureWatch(stage, service, user, local);
  return [
    { name: 'holdall sync of 100,000 unchanged files', unit: 's', runs: unchanged },
    { name: 'a changed file among 100,000, on the other side', unit: 'ms', runs: delays },
  ];
}

/** Milliseconds from a change on this computer until the drive has it. */
async function measureWatch(
  stage: Stage,
  service: Service,
  user: User,
  local: string,
): Promise<readonly number[]> {
  const { promise: inSync, resolve } = Promise.withResolvers<void>();
  const child = user.start(['sync', local, '/tree', '--two-way', '--watch'], (line) => {
    if (line.includes('In sync.')) resolve();
  });
  const closed = once(child, 'close');
  try {
    await Promise.race([
      inSync,
      closed.then(() => {
        throw new Error('The sync that watches has ended.');
      }),
    ]);
    return await repeat(stage.scale.runs, async (run) => {
      const file = `file ${run}.bin`;
      await appendFile(path.join(local, '0', file), 'changed');
      const start = performance.now();
      while ((await service.findFile('/tree/0', file)).size === CONTENT_BYTES) {
        if (performance.now() - start > 60_000) throw new Error('The change did not arrive.');
      }
      return performance.now() - start;
    });
  } finally {
    child.kill();
    await closed;
  }
}
