// tier: default
// runs on: sqlite
// needs: build
// Starts and stops of the program that do not depend on the database. main-restarts.test.ts has the others.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { lineAfter, newHome, run, start, stop } from '../support/app/main-program.ts';
import { Person } from '../support/app/person.ts';

describe('the first start', () => {
  test('takes a configured password unchanged, and neither prints it nor stores it in a file', async () => {
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
  test('after a signal ends with code 0, even if clients keep their connections open', inFull, async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const program = await start(await newHome());
      await new Person('x', program.url).ask('GET', '/api/v2/site/ping');
      const begun = Date.now();
      assert.deepEqual(await stop(program, signal), { code: 0, signal: null });
      // Idle connections are closed after 7 s at the latest, so the stop must have closed them earlier.
      assert(Date.now() - begun < 7_000);
    }
  });

  test('disconnects an upload that does not end within 10 s', inFull, async () => {
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
});

test('the start warns about a grace time that puts bytes at risk', inFull, async () => {
  const program = await start({ ...(await newHome()), HOLDALL_SWEEP_GRACE: '9m' });
  assert.match(program.output(), /"level":40.*HOLDALL_SWEEP_GRACE is below 10m/);
  await stop(program);
});

test('the start warns if mail is set up but its links would lead nowhere', inFull, async () => {
  const mail = { HOLDALL_SMTP_URL: 'smtp://127.0.0.1:1', HOLDALL_MAIL_FROM: 'drive@example.org' };
  const withoutUrl = await start({ ...(await newHome()), ...mail });
  const warning = /"level":40.*HOLDALL_PUBLIC_URL is not set: no mail is sent/;
  assert.match(withoutUrl.output(), warning);
  await stop(withoutUrl);
  const withUrl = await start({
    ...(await newHome()),
    ...mail,
    HOLDALL_PUBLIC_URL: 'https://drive.example.org',
  });
  assert.doesNotMatch(withUrl.output(), warning);
  await stop(withUrl);
});

test('a second service on the same SQLite database warns at its start', inFull, async () => {
  const home = await newHome();
  const warning = /"level":40.*another process also serves this data directory/;
  const first = await start(home);
  assert.doesNotMatch(first.output(), warning);
  const second = await start(home);
  assert.match(second.output(), warning);
  await stop(first, 'SIGKILL');
  await stop(second);
  const third = await start(home);
  assert.doesNotMatch(third.output(), warning);
  await stop(third);
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
    const { ended } = run({
      ...home,
      HOLDALL_DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none',
      HOLDALL_DATABASE_WAIT: '10ms',
    });
    const { code, output } = await ended;
    assert.equal(code, 1);
    assert.match(
      output,
      /^Holdall could not start: The database cannot be reached: the PostgreSQL database none on 127\.0\.0\.1:1 \(connect ECONNREFUSED 127\.0\.0\.1:1\)\.$/m,
    );
    assert.doesNotMatch(output, /secret/);
  });

  test('rejects an old Node.js in one sentence, before anything else is loaded', async () => {
    const pretend =
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })";
    const flags = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
    const { code, output } = await run(await newHome(), flags).ended;
    assert.deepEqual([code, output], [1, 'Holdall needs Node.js 22.18 or newer; this is 20.1.0.\n']);
  });
});

test('a stale initial-admin-password file is removed at the next start', inFull, async () => {
  const home = await newHome();
  const file = path.join(home.HOLDALL_DATA_DIR ?? '', 'initial-admin-password');
  const first = await start({ ...home, HOLDALL_ADMIN_PASSWORD: 'set from the outside' });
  await stop(first);
  await writeFile(file, 'left over\n', { mode: 0o600 });
  await stop(await start(home));
  await assert.rejects(stat(file), { code: 'ENOENT' });
});
