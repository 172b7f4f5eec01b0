// tier: default
// runs on: sqlite
// runs on, with --full: s3
// needs: build
// Tests the bundled files in `server/dist`, which `npm start` runs. Most other tests run the sources. So
// this file uses what a bundle could lack: modules that are loaded when needed, threads, and files of
// packages.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { VERSION } from '../../src/app/version.ts';
import { lineAfter, newHome, start, stop } from '../support/app/main-program.ts';
import { Person } from '../support/app/person.ts';
import { makeHeic } from '../support/media/heic.ts';
import { makePng } from '../support/media/pictures.ts';
import { createTestStorage } from '../support/storage/test-storage.ts';

const COMMANDS = path.join(import.meta.dirname, '..', '..', 'dist', 'cli', 'main.js');

const storage = createTestStorage();
after(() => storage.drop());
const home = { ...(await newHome()), ...storage.env };
const program = await start(home);
const password = lineAfter(program.output(), 'password');
const admin = await new Person('admin', program.url).logIn(password);

test('the built server has its version, the web client, the API description with its page, and metrics', async () => {
  assert.match(program.output(), new RegExp(`^Holdall ${VERSION.replaceAll('.', '\\.')}$`, 'm'));
  assert.doesNotMatch(program.output(), /without the web client/);
  const expected = [
    ['/', /<div id="root">/],
    ['/api/openapi.json', /"openapi":"3/],
    ['/api/docs/', /swagger-ui/],
    ['/api/docs/static/swagger-ui.css', /\.swagger-ui/],
    ['/metrics', /^holdall_process_cpu_seconds_total/m],
  ] as const;
  for (const [address, content] of expected) {
    const response = await fetch(new URL(address, program.url), { headers: { accept: 'text/html,*/*' } });
    assert.equal(response.status, 200, address);
    assert.match(await response.text(), content, address);
  }
});

test('the built server reads the list of common passwords', async () => {
  const body = { currentPassword: password, newPassword: 'password1' };
  const { msg } = await admin.refused(400, 1000, 'POST', '/api/user/password', { body });
  assert.match(msg, /common/);
});

test('the built server finds and copies files in threads, and sends a directory as an archive', async () => {
  const directory = await admin.mkdir('/built');
  const content = Buffer.alloc(300_000, 'built');
  const file = await admin.upload('/built/one.bin', content);
  assert.deepEqual(await admin.download(file), content);
  const found = await admin.ask<{ items: { id: number }[] }>('GET', '/api/v2/files/search?q=one');
  assert.deepEqual(
    found.items.map(({ id }) => id),
    [file.id],
  );
  await admin.mkdir('/copies');
  const copy = await admin.copy(directory, '/copies');
  assert.deepEqual(await admin.names(copy.path), ['one.bin']);
  const archive = await admin.download(directory);
  assert.equal(archive.subarray(0, 2).toString(), 'PK');
});

test('the built server makes thumbnails in a separate process', async () => {
  for (const [name, bytes] of [
    ['picture.png', makePng(300, 200)],
    // A separate library decodes these.
    ['picture.heic', makeHeic()],
  ] as const) {
    const picture = await admin.upload(`/${name}`, bytes);
    const response = await admin.fetch('GET', `/api/v2/files/${picture.id}/thumbnail?size=256`);
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/webp']);
  }
});

test('the built command line finds no faults while the service runs', async () => {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(HOLDALL_|NODE_)/.test(name));
  const env = { ...Object.fromEntries(inherited), ...home };
  const { stdout } = await promisify(execFile)(process.execPath, [COMMANDS, 'doctor'], { env });
  assert.match(stdout, /No faults/i);
});

test('the built server stops when it is asked to', async () => {
  assert.deepEqual(await stop(program), { code: 0, signal: null });
});
