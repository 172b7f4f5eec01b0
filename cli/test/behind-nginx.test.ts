// tier: default
// runs on: sqlite
// needs: nginx
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { startExampleNginx } from '../../server/test/support/app/behind-nginx.ts';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { Person } from '../../server/test/support/app/person.ts';
import { CommandLine } from './command-line.ts';

test('put and sync replace files also when nginx sends the downloads', async () => {
  const service = await startHoldall({
    env: { HOLDALL_ACCEL_REDIRECT: '/_objects/', HOLDALL_TRUST_PROXY: '127.0.0.1' },
  });
  const upstreamPorts = [Number(new URL(service.url).port)];
  const nginx = await startExampleNginx({ upstreamPorts, dataDir: service.dataDir });
  const user = await CommandLine.create({ ...service, url: nginx.url });
  const person = new Person(user.person.username, nginx.url);
  person.login = user.person.login;
  const run = async (...words: string[]) => {
    const { code, notes } = await user.run(words);
    assert.equal(code, 0, notes);
  };
  await writeFile(user.at('a.txt'), 'first');
  await run('put', user.at('a.txt'), '/papers');
  const [file] = (await person.list('/papers')).items;
  assert.ok(file);
  for (const [content, words] of [
    ['second', ['put', user.at('a.txt'), '/papers', '--on-conflict', 'replace']],
    ['second', ['sync', user.folder, '/papers', '--two-way']],
    ['the third', ['sync', user.folder, '/papers', '--two-way']],
    ['and the fourth', ['sync', user.folder, '/papers', '--two-way']],
  ] as const) {
    await writeFile(user.at('a.txt'), content);
    await run(...words);
    assert.equal((await person.download(file)).toString(), content);
  }
});
