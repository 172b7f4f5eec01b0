// tier: default
// needs: nginx
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, test } from 'node:test';
import { startNginx } from './nginx.ts';

test('nginx serves its configuration, and leaves nothing behind when it stops', async () => {
  const nginx = await startNginx(
    ({ port }) => `server { listen 127.0.0.1:${port}; location / { return 200 "as told"; } }`,
  );
  after(() => nginx.stop());
  assert.equal(await (await fetch(nginx.url)).text(), 'as told');
  assert.equal(await nginx.readErrors(), '');
  await nginx.stop();
  await assert.rejects(fetch(nginx.url), /fetch failed/);
  assert.equal(existsSync(nginx.directory), false);
});

test('two instances do not interfere', async () => {
  const start = (word: string) =>
    startNginx(({ port }) => `server { listen 127.0.0.1:${port}; location / { return 200 "${word}"; } }`);
  const both = await Promise.all([start('one'), start('two')]);
  after(() => Promise.all(both.map((nginx) => nginx.stop())));
  const words = await Promise.all(both.map(async ({ url }) => (await fetch(url)).text()));
  assert.deepEqual(words, ['one', 'two']);
});

test('a wrong configuration is reported with nginx’s own message', async () => {
  await assert.rejects(
    startNginx(() => 'server { no_such_thing on; }'),
    /^Error: nginx did not start:\n.*unknown directive "no_such_thing"/,
  );
});
