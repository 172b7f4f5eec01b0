// tier: default
// runs on: sqlite
// needs: build
// What the program keeps when it is stopped or killed and then restarted.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { Database } from '../../src/database/database.ts';
import { lineAfter, newHome, start, stop } from '../support/app/main-program.ts';
import { applicationOf, type LoginState, PASSWORD, Person } from '../support/app/person.ts';
import { openEngine } from '../support/database/open-database.ts';

async function readPasswordHashes(home: Record<string, string>): Promise<readonly string[]> {
  const database = new Database(openEngine(home.HOLDALL_DATABASE_URL, home.HOLDALL_DATA_DIR ?? ''));
  const accounts = await database.db.selectFrom('account').select('password_hash').execute();
  await database.close();
  assert.equal(accounts.length, 2);
  return accounts.map((account) => account.password_hash ?? '');
}

test('only the first start prints the address, data directory, admin account and invite code', async () => {
  const home = await newHome();
  const file = path.join(home.HOLDALL_DATA_DIR ?? '', 'initial-admin-password');
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
  assert.equal(await readFile(file, 'utf8'), `${password}\n`, 'the file stays until the password is changed');

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

test('a token issued before kill -9 stays valid', inFull, async () => {
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
