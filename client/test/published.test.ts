// tier: full
// runs on: sqlite
// needs: process
// The library as programs get it: packed, installed and imported by plain Node.js.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { PASSWORD } from '../../server/test/support/app/person.ts';
import { listDescribed, listExports, writeReference } from '../../tools/client/reference.ts';
import { OPERATIONS } from '../src/generated/operation-list.ts';
import { logInNewUser } from './logged-in.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const reference = writeReference();
const service = await startHoldall();
const home = mkdtempSync(path.join(tmpdir(), 'holdall-client-'));
after(() => rmSync(home, { recursive: true, force: true }));

const run = promisify(execFile);
// Without the settings of this project's npm run, which must have no effect there.
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_|HOLDALL_)/.test(name)),
);

writeFileSync(path.join(home, 'package.json'), '{"name":"program","private":true,"type":"module"}');
const npm = { cwd: home, env };
const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', path.join(root, 'client')], npm);
const packed: { filename: string; size: number; files: { path: string }[] }[] = JSON.parse(stdout);
await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed[0]?.filename}`], npm);

test('the reference describes all exports and every operation', () => {
  const operations = Object.keys(OPERATIONS).filter((name) => !reference.includes(`| \`${name}\` |`));
  assert.deepEqual(operations, []);
  const described = new Set(listDescribed());
  const constants = ['ERROR_KINDS', 'OPERATIONS', 'Operations'];
  const missing = [...listExports('client'), ...listExports('node/files')].filter(
    (name) => !described.has(name),
  );
  assert.deepEqual(missing.sort(), constants);
});

test('the package contains only the compiled library, its licence and its documents', () => {
  const [{ files = [], size = 0 } = {}] = packed;
  const names = files.map((file) => file.path);
  for (const name of [
    'package.json',
    'README.md',
    'API.md',
    'LICENSE',
    'dist/client.js',
    'dist/client.d.ts',
  ]) {
    assert.ok(names.includes(name), name);
  }
  assert.deepEqual(
    names.filter((name) => !/^(?:dist\/.*\.(?:js|d\.ts)|package\.json|[A-Z]+(?:\.md)?)$/.test(name)),
    [],
  );
  assert.ok(size < 200_000, `${size} bytes`);
});

test('a program imports it without type stripping, and compiles against its types', async () => {
  const script = `
    import { Holdall, NotFoundError } from '@holdall/client';
    import { openFile } from '@holdall/client/node';
    console.log(typeof Holdall, NotFoundError.name, typeof openFile);`;
  writeFileSync(path.join(home, 'program.mjs'), script);
  const plain = await run(process.execPath, ['--no-experimental-strip-types', 'program.mjs'], npm);
  assert.equal(plain.stdout, 'function NotFoundError function\n');
  const typed = `
    import { Holdall } from '@holdall/client';
    const { items } = await new Holdall({ url: 'http://localhost' }).request('GET /api/files/list');
    export const size: number | undefined = items[0]?.size;
    // @ts-expect-error there is no such operation
    void new Holdall({ url: 'http://localhost' }).request('GET /api/nothing');`;
  writeFileSync(path.join(home, 'typed.ts'), typed);
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', ''];
  await run(process.execPath, [compiler, ...flags, 'typed.ts'], npm);
});

test('the entry point for browsers needs nothing from Node.js', () => {
  const dist = path.join(home, 'node_modules/@holdall/client/dist');
  const files = globSync('**/*.js', { cwd: dist }).filter((file) => !file.startsWith('node'));
  assert.ok(files.length > 30);
  for (const file of files) {
    const text = readFileSync(path.join(dist, file), 'utf8');
    assert.doesNotMatch(text, /from 'node:|\bprocess\.|\bBuffer\b|\brequire\(/, file);
  }
});

describe('the example', () => {
  const examples = path.join(home, 'examples');
  cpSync(path.join(root, 'client/examples'), examples, { recursive: true });
  const tested = new Set<string>();

  /** Starts an example like someone who has installed the package. */
  function start(
    name: string,
    words: readonly string[],
    variables: Readonly<Record<string, string>>,
  ): ChildProcess {
    tested.add(`${name}.ts`);
    const child = spawn(process.execPath, [path.join(examples, `${name}.ts`), ...words], {
      cwd: home,
      env: { ...env, ...variables },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    after(() => child.kill('SIGKILL'));
    return child;
  }

  async function outputOf(child: ChildProcess): Promise<string> {
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const [code] = await once(child, 'close');
    assert.equal(code, 0, output);
    return output;
  }

  async function newUser() {
    const { holdall, username } = await logInNewUser(service);
    const { password } = await holdall.appPasswords.create({ name: 'example', scope: 'WRITE' });
    const variables = { HOLDALL_URL: service.url, HOLDALL_APP_PASSWORD: password };
    const show = (name: string, ...words: string[]) => outputOf(start(name, words, variables));
    return { holdall, username, variables, show };
  }

  const file = path.join(home, 'film.mp4');
  const content = randomBytes(2_000_000);
  writeFileSync(file, content);

  test('list-directory lists', async () => {
    const { holdall, show } = await newUser();
    await holdall.uploads.put('12345', { path: '/Documents', filename: 'five.txt' });
    assert.match(await show('list-directory', '/Documents'), / 5 {2}\/Documents\/five\.txt$/m);
    assert.match(await show('list-directory'), /\/Documents\/$/m);
  });

  test('log-in logs in once and keeps the login to itself', async () => {
    const { username } = await newUser();
    const TOKENS_FILE = path.join(home, 'login', 'tokens.json');
    const variables = { HOLDALL_URL: service.url, HOLDALL_PASSWORD: PASSWORD, TOKENS_FILE };
    assert.match(
      await outputOf(start('log-in', [username], variables)),
      new RegExp(`^${username} \\(USER\\) uses 0`),
    );
    assert.equal(statSync(TOKENS_FILE).mode & 0o777, 0o600);
    service.clock.advance(16 * 60_000);
    assert.match(await outputOf(start('log-in', [], variables)), /^There is a login already\.\n/);
    assert.deepEqual(readdirSync(path.dirname(TOKENS_FILE)), ['tokens.json']);
  });

  test('upload-file continues after a kill, and download-file saves the same bytes', async () => {
    const { holdall, show, variables } = await newUser();
    const killed = start('upload-file', [file, '/Videos'], variables);
    await once(killed.stdout ?? killed, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'close');
    assert.match(await show('upload-file', file, '/Videos'), /\/Videos\/film\.mp4 has the id \d+\.\n$/);
    assert.equal((await holdall.drive.find('/Videos/film.mp4'))?.size, content.length);
    const target = path.join(home, 'saved.mp4');
    const output = await show('download-file', '/Videos/film.mp4', target);
    assert.equal(output, `${content.length} of ${content.length} bytes were received now.\n`);
    assert.ok(readFileSync(target).equals(content));
  });

  test('watch-changes continues where the previous run ended', async () => {
    const { holdall, variables } = await newUser();
    const CURSOR_FILE = path.join(home, 'cursor');
    const first = start('watch-changes', ['1'], { ...variables, CURSOR_FILE });
    const output = outputOf(first);
    await once(first.stdout ?? first, 'data');
    const directory = await holdall.drive.makeDirectory('/seen');
    assert.equal(await output, 'watching\nCREATED /seen\n');
    await holdall.drive.rename(directory.id, 'renamed');
    const second = outputOf(start('watch-changes', ['1'], { ...variables, CURSOR_FILE }));
    assert.equal(await second, 'watching\nRENAMED /seen -> /renamed\n');
  });

  test('share-file shares, and its visitor needs the password', async () => {
    const { holdall, show } = await newUser();
    await holdall.uploads.put('dear you', { filename: 'letter.txt' });
    const output = await show('share-file', '/letter.txt', 'pässword');
    assert.match(output, /\/s\/\S+\nThe visitor needs the password\.\nletter\.txt: 8 bytes\n$/);
  });

  test('collect-files accepts a file from a visitor', async () => {
    const { show } = await newUser();
    assert.equal(await show('collect-files', '/Inbox'), 'Inbox takes 100 files.\n/Inbox/greeting.txt\n');
  });

  test('edit-file keeps what others write at the same time', async () => {
    const { holdall, show } = await newUser();
    const { id } = await holdall.uploads.put('bread\n', { filename: 'notes.txt' });
    await Promise.all([show('edit-file', '/notes.txt', 'milk'), show('edit-file', '/notes.txt', 'eggs')]);
    const lines = (await (await holdall.downloads.open(id)).text()).trim().split('\n');
    assert.deepEqual(lines.sort(), ['bread', 'eggs', 'milk']);
  });

  test('archive-search packs what it finds', async () => {
    const { holdall, show } = await newUser();
    for (const name of ['a letter', 'another letter', 'a picture']) {
      await holdall.uploads.put(name, { filename: `${name}.txt` });
    }
    assert.equal(await show('archive-search', 'letter'), '2 files were found.\nCOMPLETED \n');
    assert.notEqual(await holdall.drive.find('/found.zip'), undefined);
  });

  test('send-file sends and receives', async () => {
    const { show } = await newUser();
    assert.match(await show('send-file', file), /^The code is \w{6}\.\nfilm\.mp4: 2000000 bytes\n$/);
  });

  test('has a test, whichever it is', () => {
    assert.deepEqual(readdirSync(examples).sort(), [...tested].sort());
  });
});
