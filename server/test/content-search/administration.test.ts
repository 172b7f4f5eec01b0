// tier: default
// runs on: sqlite, postgres
// What administrators see and do, the setting, and backups.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { environmentOf, runCommand } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Person } from '../support/app/person.ts';
import { diagnose } from '../support/checks/diagnose.ts';
import { at, CURRENT, startRestored } from '../support/checks/restored.ts';
import { sabotage } from '../support/checks/sabotage.ts';
import { PlainTexts, pathsWith, takeTexts } from '../support/content-search/plain-texts.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { find } from '../support/drive/search.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { type PeerSession, TRANSFERS } from '../support/transfer/transfer.ts';

const extraction = new PlainTexts();
extraction.before = async (name) => (name === 'picture' ? { reason: 'unknown-type' } : undefined);
const holdall = await startHoldall({ env: { HOLDALL_METRICS_TOKEN: 'metrics' }, extraction });
const env = environmentOf(holdall);
const { app } = holdall;
const alice = await holdall.register('alice');
const admin = await holdall.admin();
const file = await alice.upload('/letter.txt', 'dear reader', 'text/plain');
await alice.upload('/picture', 'x');
await takeTexts(holdall);
await alice.upload('/waiting.txt', 'later', 'text/plain');

const getState = () => admin.ask<Record<string, unknown>>('GET', '/api/admin/content-search');

describe('administrators', () => {
  test('see how far texts have been taken', async () => {
    const state = {
      ...{ isOn: true, isPaused: false, indexed: 1, withoutText: 1, givenUp: 0, textBytes: 11 },
      ...{ lastError: null, lastErrorAt: null },
    };
    assert.deepEqual(await getState(), { ...state, waiting: 0 });
    assert.equal((await alice.call('GET', '/api/admin/content-search')).status, 403);
    await takeTexts(holdall);
    assert.deepEqual(await getState(), { ...state, waiting: 0, indexed: 2, textBytes: 16 });
  });

  test('get figures', async () => {
    const answer = await fetch(`${holdall.url}/metrics`, { headers: { authorization: 'Bearer metrics' } });
    const lines = (await answer.text()).split('\n');
    for (const line of [
      'holdall_texts{state="indexed"} 2',
      'holdall_text_bytes 16',
      'holdall_texts_paused 0',
    ]) {
      assert.ok(lines.includes(line), line);
    }
  });

  test('see the last runs among the maintenance jobs', async () => {
    const { jobs } = await admin.ask<{ jobs: { name: string; error: string | null }[] }>(
      'GET',
      '/api/admin/maintenance',
    );
    assert.equal(jobs.find(({ name }) => name === 'index file contents')?.error, null);
  });
});

describe('holdall search-index', () => {
  test('prints the state', async () => {
    const { code, said } = await runCommand(env, ['search-index', 'status']);
    assert.deepEqual(
      [code, said],
      [
        0,
        [
          'The search in content is on.',
          'Waiting: 0',
          'Indexed: 2, with 16 B of text',
          'Without text: 1',
          'Given up: 0',
        ],
      ],
    );
    assert.equal((await runCommand(env, ['search-index', 'status', 'more'])).code, 2);
  });

  test('makes the service take all texts again, while searches find the old ones', async () => {
    extraction.taken.length = 0;
    const { code, said } = await runCommand(env, ['search-index', 'rebuild']);
    assert.equal(code, 0);
    assert.match(said.join(), /^The service takes the texts of 3 stored files again/);
    assert.deepEqual(await pathsWith(alice, 'reader'), ['/letter.txt']);
    await takeTexts(holdall);
    assert.deepEqual(extraction.taken.toSorted(), ['letter.txt', 'picture', 'waiting.txt']);
    assert.deepEqual(await pathsWith(alice, 'reader'), ['/letter.txt']);
  });

  test('makes the service try again only what it has given up', async () => {
    const { said } = await runCommand(env, ['search-index', 'rebuild', '--given-up']);
    assert.deepEqual(said, ['The service tries 0 stored files again.']);
    assert.equal(await app.contentSearch.indexing.hasWork(), false);
  });

  test('rebuilds nothing while the search in content is off', async () => {
    const off = await runCommand({ ...env, HOLDALL_CONTENT_SEARCH: 'off' }, ['search-index', 'rebuild']);
    assert.equal(off.code, 1);
    assert.deepEqual(off.complained, ['The search in content is off: set HOLDALL_CONTENT_SEARCH=on.']);
  });
});

describe('the doctor', () => {
  const faultsOf = async () => (await diagnose(app)).faults.map(({ rule, id }) => [rule, id]);
  const repair = () => diagnose(app, { onRepair: async () => {} });
  const blobOf = async ({ id }: { id: number }) => {
    const query = app.database.db.selectFrom('entry').select('blob_id').where('id', '=', id);
    return (await query.executeTakeFirstOrThrow()).blob_id;
  };

  test('notices a text that is not in the index, and has it taken again', async () => {
    const id = await blobOf(file);
    await sabotage(
      holdall,
      isPostgres
        ? `delete from blob_text where blob_id = ${id}`
        : `delete from text_index where rowid = ${id}`,
    );
    assert.deepEqual(await pathsWith(alice, 'reader'), []);
    // The index of a column cannot differ from it.
    assert.deepEqual(await faultsOf(), [[isPostgres ? 'text-missing' : 'text-index', id]]);
    await repair();
    assert.deepEqual(await faultsOf(), []);
    await takeTexts(holdall);
    assert.deepEqual(await pathsWith(alice, 'reader'), ['/letter.txt']);
    assert.deepEqual(await faultsOf(), []);
  });

  test('notices a text of a file without text', async () => {
    const id = await blobOf(file);
    await sabotage(holdall, `update text_queue set state = 'WITHOUT_TEXT' where blob_id = ${id}`);
    assert.deepEqual(await faultsOf(), [['text-index', id]]);
    await repair();
    await takeTexts(holdall);
    assert.deepEqual(await pathsWith(alice, 'reader'), ['/letter.txt']);
  });

  test('notices a file that was passed over', async () => {
    const id = await blobOf(file);
    await sabotage(
      holdall,
      `update text_scan set through_id = ${id}`,
      `delete from text_queue where blob_id = ${id}`,
      `delete from blob_text where blob_id = ${id}`,
    );
    assert.deepEqual(await faultsOf(), [['text-missing', id]]);
    await repair();
    await takeTexts(holdall);
    assert.deepEqual(await pathsWith(alice, 'reader'), ['/letter.txt']);
    assert.deepEqual(await faultsOf(), []);
  });
});

test('a transfer that is imported while it is off is found when it is on again', async () => {
  const own = new PlainTexts();
  const on = await startHoldall({ extraction: own });
  await withoutDirect(on);
  const carol = await on.register('carol');
  const { sessionId, files } = await carol.ask<PeerSession>('POST', TRANSFERS, {
    body: { mode: 'OFFLINE', files: [{ name: 'sent.txt', size: 4 }] },
  });
  const url = `${TRANSFERS}/${sessionId}/files/${files[0]?.id}`;
  const headers = { 'content-type': 'application/octet-stream' };
  await carol.ask('POST', `${url}/content`, { body: 'sent', headers });
  await carol.upload('/behind.txt', 'behind', 'text/plain');
  // The scan passes the transfer.
  await takeTexts(on);
  const off = await startHoldall({ beside: on, env: { HOLDALL_CONTENT_SEARCH: 'off' }, extraction: own });
  const there = new Person(carol.username, off.url).with(carol.login);
  await there.ask('POST', `${url}/import`, { body: { path: '/transfers' } });
  await takeTexts(on);
  assert.deepEqual(await pathsWith(carol, 'sent'), ['/transfers/sent.txt']);
});

test('while it is off, nothing is taken, `content` is rejected and `all` is `name`', async () => {
  const own = new PlainTexts();
  const off = await startHoldall({ env: { HOLDALL_CONTENT_SEARCH: 'off' }, extraction: own });
  const bob = await off.register('bob');
  await bob.upload('/a word.txt', 'another word', 'text/plain');
  await takeTexts(off);
  assert.deepEqual(own.taken, []);
  await bob.refused(400, 2400, 'GET', '/api/v2/files/search?in=content&q=word');
  const { items } = await find(bob, { in: 'all', q: 'word' });
  assert.deepEqual(
    items.map(({ path: found, snippet }) => [found, snippet]),
    [['/a word.txt', null]],
  );
  assert.equal((await find(bob, { in: 'all', q: 'another' })).total, 0);
  const state = await (await off.admin()).ask<{ isOn: boolean }>('GET', '/api/admin/content-search');
  assert.equal(state.isOn, false);
  const on = await startHoldall({ beside: off, extraction: own });
  await takeTexts(on);
  assert.deepEqual(own.taken, ['a word.txt']);
});

test('a backup leaves out texts, and a restored service takes them again', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'holdall-backup-'));
  after(() => rm(directory, { recursive: true, force: true }));
  assert.equal((await runCommand(env, ['backup', directory])).code, 0);
  const { tables } = JSON.parse(await readFile(path.join(directory, 'manifest.json'), 'utf8'));
  const names = tables.map(({ name }: { name: string }) => name);
  assert.deepEqual(
    names.filter((name: string) => /^(blob_text|text_)/.test(name)),
    [],
  );
  const restored = await startRestored(holdall, directory, CURRENT);
  const there = at(restored, alice);
  assert.deepEqual(await pathsWith(there, 'reader'), []);
  await takeTexts(restored);
  assert.deepEqual(await pathsWith(there, 'reader'), ['/letter.txt']);
});
