// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { PASSWORD } from '../../server/test/support/app/person.ts';
import { CommandLine } from './command-line.ts';

const service = await startHoldall();

describe('holdall login', () => {
  test('stores an app password readable only by the user, and never the password', async () => {
    const user = await CommandLine.create(service);
    const file = path.join(user.env.HOME ?? '', '.config', 'holdall', 'login.json');
    const { mode } = await stat(file);
    assert.equal(mode & 0o777, 0o600);
    assert.equal((await stat(path.dirname(file))).mode & 0o777, 0o700);
    const text = await readFile(file, 'utf8');
    assert.match(text, /"hda_/);
    assert.ok(!text.includes(PASSWORD));
    const passwords = await user.person.ask<readonly { name: string }[]>('GET', '/api/user/app-passwords');
    assert.match(passwords[0]?.name ?? '', /^holdall on /);
  });

  test('rejects a wrong password, and stores nothing', async () => {
    const user = await CommandLine.create(service);
    await user.run(['logout']);
    const { code, notes } = await user.run(
      ['login', service.url],
      [user.person.username, 'not the password'],
    );
    assert.deepEqual([code, /app password/.test(notes)], [1, false]);
    assert.equal((await user.run(['ls'])).code, 3);
  });

  test('accepts an app password that the user has created', async () => {
    const user = await CommandLine.create(service);
    const body = { name: 'mine', scope: 'READ' };
    const { password } = await user.person.ask<{ password: string }>('POST', '/api/user/app-passwords', {
      body,
    });
    const { code, out } = await user.run(['login', service.url, '--app-password'], [password]);
    assert.equal(code, 0);
    assert.ok(out.includes(user.person.username));
    assert.equal((await user.run(['ls'])).code, 0);
    assert.equal((await user.run(['mkdir', '/new'])).code, 1);
  });

  test('can be replaced by two environment variables', async () => {
    const user = await CommandLine.create(service);
    const text = await readFile(path.join(user.env.HOME ?? '', '.config', 'holdall', 'login.json'), 'utf8');
    await user.run(['logout']);
    const { code } = await user.run(['ls']);
    user.env.HOLDALL_URL = service.url;
    user.env.HOLDALL_APP_PASSWORD = JSON.parse(text).password;
    assert.deepEqual([code, (await user.run(['ls'])).code], [3, 0]);
  });

  test('is requested again after the app password is revoked or the login file is damaged', async () => {
    const user = await CommandLine.create(service);
    const [{ id } = { id: 0 }] = await user.person.ask<readonly { id: number }[]>(
      'GET',
      '/api/user/app-passwords',
    );
    await user.person.ask('DELETE', `/api/user/app-passwords/${id}`);
    const revoked = await user.run(['ls']);
    assert.equal(revoked.code, 3);
    assert.match(revoked.notes, /Log in again/);
    await writeFile(path.join(user.env.HOME ?? '', '.config', 'holdall', 'login.json'), '{"url":');
    const damaged = await user.run(['ls']);
    assert.equal(damaged.code, 1);
    assert.match(damaged.notes, /cannot be read. Log in again/);
  });
});

describe('the command line', () => {
  test('explains wrong arguments and unknown commands', async () => {
    const user = await CommandLine.create(service);
    for (const words of [
      ['ls', '--colour'],
      ['put'],
      ['share'],
      ['get', '/a', '.', '--jobs', '0'],
      ['login'],
    ]) {
      const { code, notes } = await user.run(words);
      assert.equal(code, 2, words.join(' '));
      assert.match(notes, new RegExp(`holdall ${words[0]}`), words.join(' '));
    }
    assert.equal((await user.run(['dance'])).code, 2);
    const help = await user.run(['put', '--help']);
    assert.deepEqual([help.code, /--on-conflict RULE/.test(help.out)], [0, true]);
  });
});
