// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Database } from '../../src/database/database.ts';
import { applicationOf, type LoginState, PASSWORD, Person } from '../support/app/person.ts';
import { openEngine } from '../support/database/open-database.ts';
import { createTestDatabase } from '../support/database/test-database.ts';

const MAIN = fileURLToPath(new URL('../../src/main.mjs', import.meta.url));
const STARTS_WITHIN_MS = 60_000;

interface Program {
  readonly child: ChildProcess;
  readonly url: string;
  /** Everything that it has printed on both streams. */
  output(): string;
}

/** Settings with a database and a data directory that outlive the process. */
async function newHome(): Promise<Record<string, string>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'holdall-main-'));
  const database = await createTestDatabase();
  after(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    HOLDALL_PORT: '0',
    HOLDALL_DATA_DIR: dataDir,
    ...(database.url === undefined ? {} : { HOLDALL_DATABASE_URL: database.url }),
  };
}

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

function run(settings: Record<string, string>, flags: readonly string[] = []) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(HOLDALL_|NODE_)/.test(name));
  const child = spawn(process.execPath, [...flags, MAIN], {
    env: { ...Object.fromEntries(inherited), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => {
    running.delete(child);
    return { code, signal, output };
  });
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

async function start(settings: Record<string, string>): Promise<Program> {
  const { child, listening, ended, output } = run(settings);
  const late = setTimeout(() => child.kill('SIGKILL'), STARTS_WITHIN_MS);
  const url = await Promise.race([listening, ended.then(() => undefined)]);
  clearTimeout(late);
  assert(url, `it did not start:\n${output()}`);
  return { child, url, output };
}

async function stop({ child }: Program, signal: NodeJS.Signals = 'SIGTERM') {
  const closed = once(child, 'close');
  child.kill(signal);
  const [code, by] = await closed;
  running.delete(child);
  return { code, signal: by };
}

async function readPasswordHashes(home: Record<string, string>): Promise<readonly string[]> {
  const database = new Database(openEngine(home.HOLDALL_DATABASE_URL, home.HOLDALL_DATA_DIR ?? ''));
  const accounts = await database.db.selectFrom('account').select('password_hash').execute();
  await database.close();
  assert.equal(accounts.length, 2);
  return accounts.map((account) => account.password_hash ?? '');
}

function lineAfter(output: string, label: string): string {
  return new RegExp(`^${label}: (\\S+)$`, 'm').exec(output)?.[1] ?? '';
}

describe('the first start', async () => {
  const home = await newHome();
  const file = path.join(home.HOLDALL_DATA_DIR ?? '', 'initial-admin-password');

  test('prints once the address, the data directory, the admin account and the invite code', async () => {
    const first = await start(home);
    const output = first.output();
    assert(output.includes(home.HOLDALL_DATA_DIR ?? '-'));
    assert(output.includes(file));
    assert.equal(lineAfter(output, 'username'), 'admin');
    const password = lineAfter(output, 'password');
    assert.match(password, /^[\w-]{20}$/);
    assert.equal(await readFile(file, 'utf8'), `${password}\n`);
    assert.equal((await stat(file)).mode & 0o777, 0o600);

    const admin = await new Person('admin', first.url).logIn(password);
    assert.equal(admin.login?.user.role, 'ADMIN');
    const code = lineAfter(output, 'invite code for one registration');
    await new Person('ann', first.url).register(code);
    assert.deepEqual(await stop(first), { code: 0, signal: null });
    for (const hash of await readPasswordHashes(home)) {
      assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/, 'the low cost of tests is for tests only');
    }

    const second = await start(home);
    assert.doesNotMatch(second.output(), /password|invite/);
    assert(!second.output().includes(password));
    assert.equal(
      await readFile(file, 'utf8'),
      `${password}\n`,
      'the file stays until the password is changed',
    );

    const again = await new Person('admin', second.url).logIn(password);
    await new Person('ann', second.url)
      .logIn()
      .then((ann) =>
        ann.enter('/api/user/password', { currentPassword: PASSWORD, newPassword: 'another password' }),
      );
    await stat(file);
    await again.enter('/api/user/password', { currentPassword: password, newPassword: 'the admin’s own' });
    await assert.rejects(stat(file), { code: 'ENOENT' });
    await stop(second);
  });

  test('a configured password is taken as it is, and neither printed nor stored in a file', async () => {
    const other = await newHome();
    const password = 'password1';
    const program = await start({
      ...other,
      HOLDALL_ADMIN_USERNAME: 'chief',
      HOLDALL_ADMIN_PASSWORD: password,
      HOLDALL_INVITE_CODE: 'come-in-1',
    });
    await new Person('chief', program.url).logIn(password);
    assert(!program.output().includes(`password: ${password}`));
    assert.match(program.output(), /Warning: it is one of the most common ones/);
    assert.equal(lineAfter(program.output(), 'invite code for one registration'), 'come-in-1');
    const left = path.join(other.HOLDALL_DATA_DIR ?? '', 'initial-admin-password');
    await assert.rejects(stat(left), { code: 'ENOENT' });
    await stop(program);
  });
});

describe('the shutdown', () => {
  test('a signal ends the process with code 0 although clients keep their connections open', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const program = await start(await newHome());
      await new Person('x', program.url).ask('GET', '/api/v2/site/ping');
      const begun = Date.now();
      assert.deepEqual(await stop(program, signal), { code: 0, signal: null });
      // Connections that are kept open are closed after 7 s only if nothing else closes them.
      assert(Date.now() - begun < 7_000);
    }
  });

  test('an upload that does not end is disconnected within 10 s', async () => {
    const program = await start(await newHome());
    const code = lineAfter(program.output(), 'invite code for one registration');
    const ann = await new Person('ann', program.url).register(code);
    const body = new ReadableStream({
      start: (controller) =>
        controller.enqueue(Buffer.from('--x\r\nContent-Disposition: form-data; name="file"')),
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const upload = ann.fetch('POST', '/api/files/upload', { body, headers }).catch((error: Error) => error);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const begun = Date.now();
    assert.deepEqual(await stop(program), { code: 0, signal: null });
    assert(Date.now() - begun < 10_000);
    await upload;
  });

  test('acknowledged changes survive kill -9', async () => {
    const home = await newHome();
    const program = await start(home);
    const code = lineAfter(program.output(), 'invite code for one registration');
    const response = await fetch(new URL('/api/auth/register', program.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(applicationOf('survivor', code)),
    });
    program.child.kill('SIGKILL');
    assert.equal(response.status, 200);
    await once(program.child, 'close');

    const again = await start(home);
    const survivor = await new Person('survivor', again.url).logIn();
    assert.deepEqual(await survivor.names(), ['Documents', 'Downloads', 'Pictures']);
    await survivor.refused(400, 1003, 'POST', '/api/auth/register', { body: applicationOf('second', code) });
    await stop(again);
  });

  test('a token issued before kill -9 stays valid', async () => {
    const home = await newHome();
    const program = await start(home);
    const password = lineAfter(program.output(), 'password');
    const admin = await new Person('admin', program.url).logIn(password);
    program.child.kill('SIGKILL');
    await once(program.child, 'close');
    const again = await start(home);
    const later = new Person('admin', again.url);
    later.login = admin.login as LoginState;
    await later.ask('GET', '/api/user/profile');
    await stop(again);
  });
});

test('the start warns about a grace time that puts bytes at risk', async () => {
  const program = await start({ ...(await newHome()), HOLDALL_SWEEP_GRACE: '9m' });
  assert.match(program.output(), /"level":40.*HOLDALL_SWEEP_GRACE is below 10m/);
  await stop(program);
});

describe('a failed start', () => {
  test('names every wrong setting and exits with code 1', async () => {
    const { ended } = run({
      ...(await newHome()),
      HOLDALL_PORT: 'http',
      HOLDALL_ACCESS_TOKEN_TTL: 'soon',
      HOLDALL_JWT_SECRET: 'short',
    });
    const { code, output } = await ended;
    assert.equal(code, 1);
    for (const name of ['HOLDALL_PORT', 'HOLDALL_ACCESS_TOKEN_TTL', 'HOLDALL_JWT_SECRET']) {
      assert.match(output, new RegExp(`^ {2}${name} must be `, 'm'));
    }
    assert.doesNotMatch(output, /\bat .*\.ts:\d+/, 'no stack');
  });

  test('reports that the address is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    assert(address !== null && typeof address === 'object');
    const { ended } = run({ ...(await newHome()), HOLDALL_PORT: String(address.port) });
    const { code, output } = await ended;
    taken.close();
    assert.equal(code, 1);
    assert.match(
      output,
      /^Holdall could not start: the address is in use \(HOLDALL_HOST, HOLDALL_PORT\)\.$/m,
    );
  });

  test('reports that the database is unreachable', async () => {
    const home = await newHome();
    const { ended } = run({ ...home, HOLDALL_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    const { code, output } = await ended;
    assert.equal(code, 1);
    assert.match(output, /^Holdall could not start: The database cannot be reached/m);
  });

  test('refuses an old Node.js in one sentence, before anything else is loaded', async () => {
    const pretend =
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })";
    const flags = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
    const { code, output } = await run(await newHome(), flags).ended;
    assert.deepEqual([code, output], [1, 'Holdall needs Node.js 22.18 or newer; this is 20.1.0.\n']);
  });
});

test('a stale initial-admin-password file is removed at the next start', async () => {
  const home = await newHome();
  const file = path.join(home.HOLDALL_DATA_DIR ?? '', 'initial-admin-password');
  const first = await start({ ...home, HOLDALL_ADMIN_PASSWORD: 'set from the outside' });
  await stop(first);
  await writeFile(file, 'left over\n', { mode: 0o600 });
  await stop(await start(home));
  await assert.rejects(stat(file), { code: 'ENOENT' });
});
