// tier: default
// runs on: postgres
// runs on, with --full: sqlite
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { PublicShareLink, ShareLink, ShareSummary } from '../../src/shares/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance, countStatuses, race } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';

const SHARES = '/api/v2/shares';

const holdall = await startHoldall();
await withoutDirect(holdall);
const urls = [holdall.url, ...(isPostgres ? [(await startHoldall({ beside: holdall })).url] : [])];
const strangers = urls.map((url) => new Person('stranger', url));

afterEach(() => checkBooks(holdall));

async function makeShare(options: object, content = 'the bytes') {
  const owner = await holdall.register('owner');
  const file = await owner.upload('/shared', content);
  const body = { fileId: file.id, ...options };
  return { owner, file, share: await owner.ask<ShareSummary>('POST', SHARES, { body }) };
}

const download = async (person: Person, { token }: ShareSummary): Promise<{ status: number }> => {
  const response = await person.fetch('GET', `${SHARES}/${token}?download`);
  await response.arrayBuffer();
  return { status: response.status };
};
const importTo = (person: Person, { token }: ShareSummary, path: string) =>
  person.call<EntryRecord>('POST', `${SHARES}/${token}/import`, { body: { path } });

function countOf(answers: readonly { status: number }[]): Record<number, number> {
  return countStatuses(answers as Parameters<typeof countStatuses>[0]);
}

describe('a share with a budget of 5', () => {
  it('50 concurrent downloads spend 5', async () => {
    const { owner, share } = await makeShare({ maxDownloads: 5 });
    const answers = await race(strangers, 50, (person) => download(person, share));
    assert.deepEqual(countOf(answers), { 200: 5, 410: 45 });
    const seen = await owner.ask<ShareSummary>('GET', `${SHARES}/${share.token}`);
    assert.deepEqual([seen.downloadCount, seen.exhausted], [5, true]);
  });

  it('50 concurrent imports spend 5, and only their bytes are charged', async () => {
    const { share } = await makeShare({ maxDownloads: 5 });
    const taker = await holdall.register('taker');
    const doors = atEveryInstance(taker, urls);
    const answers = await race(doors, 50, (person, index) => importTo(person, share, `/taken/${index}`));
    assert.deepEqual(countOf(answers), { 200: 5, 410: 45 });
    assert.equal(await taker.usedBytes(), 5 * 'the bytes'.length);
  });

  it('concurrent downloads and imports spend 5 together', async () => {
    const { owner, share } = await makeShare({ maxDownloads: 5 });
    const takers = [await holdall.register('taker'), await holdall.register('taker')];
    const answers = await race([...strangers, ...takers], 40, (person, index) =>
      person.login === undefined ? download(person, share) : importTo(person, share, `/${index}`),
    );
    assert.deepEqual(countOf(answers), { 200: 5, 410: 35 });
    assert.equal((await owner.ask<ShareSummary>('GET', `${SHARES}/${share.token}`)).downloadCount, 5);
  });
});

describe('a budget that is lowered during downloads', () => {
  it('is never exceeded', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { owner, share } = await makeShare({ maxDownloads: 20 });
      const doors = [...strangers, ...atEveryInstance(owner, urls)];
      const lowered: number[] = [];
      await race(doors, 24, async (person, index) => {
        if (person.login === undefined) return download(person, share);
        const body = { maxDownloads: 1 + (index % 10) };
        const answer = await person.call<ShareSummary>('PATCH', `${SHARES}/${share.id}`, { body });
        if (answer.status === 200) {
          lowered.push(body.maxDownloads);
          assert.ok(answer.data.downloadCount <= body.maxDownloads);
        }
        return answer;
      });
      const seen = await owner.ask<ShareSummary>('GET', `${SHARES}/${share.token}`);
      assert.ok(seen.downloadCount <= (seen.maxDownloads ?? 0));
      assert.ok([20, ...lowered].includes(seen.maxDownloads ?? 0));
    }
  });
});

describe('the counts of a share', () => {
  it('are exact under concurrent views and downloads', async () => {
    const { owner, share } = await makeShare({});
    await race(strangers, 30, async (person, index) => {
      if (index % 3 === 0) await download(person, share);
      else await person.ask('GET', `${SHARES}/${share.token}`);
    });
    const seen = await owner.ask<ShareSummary>('GET', `${SHARES}/${share.token}`);
    assert.deepEqual([seen.viewCount, seen.downloadCount], [20, 10]);
  });
});

describe('between a view and a use', () => {
  it('a share that is deleted, or whose file is recycled, is gone for every later request', async () => {
    for (const end of ['delete', 'recycle'] as const) {
      const { owner, file, share } = await makeShare({});
      const taker = await holdall.register('taker');
      const doors = [owner, ...strangers, taker];
      const answers = await race(doors, 24, async (person, index) => {
        if (index === 2 * doors.length) {
          if (end === 'delete') await owner.ask('DELETE', `${SHARES}/${share.id}`);
          else await owner.recycle(file);
          return { status: 0 };
        }
        return person.login === undefined || person === owner
          ? download(person, share)
          : importTo(person, share, `/${end}-${index}`);
      });
      for (const { status } of answers) assert.ok([0, 200, 404].includes(status), `${status}`);
      assert.equal((await download(strangers[0] as Person, share)).status, 404);
      assert.equal((await importTo(taker, share, '/after')).status, 404);
    }
  });

  it('a share that expires is rejected', async () => {
    const { share } = await makeShare({ expiresAt: new Date(holdall.clock.now() + 60_000).toISOString() });
    const [stranger] = strangers;
    assert.ok(stranger);
    await stranger.ask('GET', `${SHARES}/${share.token}`);
    holdall.clock.advance(60_000);
    assert.equal((await download(stranger, share)).status, 410);
  });
});

describe('a share that is created while its file is recycled', () => {
  it('is rejected, or unavailable like the file', async () => {
    for (let round = 0; round < 8; round += 1) {
      const owner = await holdall.register('owner');
      const file = await owner.upload('/raced', 'x');
      const doors = atEveryInstance(owner, urls);
      const [first, second] = [doors[0] as Person, doors.at(-1) as Person];
      const [made] = await Promise.all([
        first.call<ShareSummary>('POST', SHARES, { body: { fileId: file.id } }),
        second.recycle(file),
      ]);
      assert.ok([200, 404].includes(made.status));
      if (made.status === 200) assert.equal((await download(first, made.data)).status, 404);
    }
  });
});

describe('two accounts that import from each other at the same moment', () => {
  it('both succeed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await makeShare({}, 'one'), await makeShare({}, 'other')];
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          index % 2 === 0
            ? importTo(one.owner, other.share, `/taken/${index}`)
            : importTo(other.owner, one.share, `/taken/${index}`),
        ),
      );
      assert.deepEqual(countOf(answers), { 200: 6 });
    }
  });
});

describe('many accounts with the same files', () => {
  it('import, copy, recycle and purge them concurrently without a deadlock', inFull, async () => {
    const owner = await holdall.register('owner');
    for (let index = 0; index < 30; index += 1) await owner.upload(`/many/${index % 3}/${index}`, `${index}`);
    const [folder] = (await owner.list()).items.filter((entry) => entry.filename === 'many');
    const { token } = await owner.ask<ShareLink>('POST', `/api/files/${folder?.id}/share-links`);
    const take = (person: Person, path: string) =>
      person.call<EntryRecord>('POST', `/api/files/share-links/${token}/import`, { body: { path } });
    const takers = [
      await holdall.register('taker'),
      await holdall.register('taker'),
      await holdall.register('taker'),
    ];
    const begun = performance.now();
    await race(takers, 24, async (person, index) => {
      const { data, status } = await take(person, `/round/${index}`);
      assert.equal(status, 200);
      if (index % 3 === 0) await person.copy(data, '/Documents').catch(() => undefined);
      await person.recycle(data);
      if (index % 2 === 0) await person.purge(data);
    });
    assert.ok(performance.now() - begun < 30_000, `${performance.now() - begun} ms`);
  });

  it('import a directory that its owner changes meanwhile, and their usage stays exact', inFull, async () => {
    const owner = await holdall.register('owner');
    for (let index = 0; index < 20; index += 1)
      await owner.upload(`/busy/${index % 4}/${index}`, 'x'.repeat(index));
    const [folder] = (await owner.list()).items.filter((entry) => entry.filename === 'busy');
    const { token } = await owner.ask<ShareLink>('POST', `/api/files/${folder?.id}/share-links`);
    const taker = await holdall.register('taker');
    const changes = (async () => {
      for (let round = 0; round < 12; round += 1) {
        const [first, second] = (await owner.list('/busy')).items.filter((entry) => entry.directory);
        if (first === undefined || second === undefined) return;
        await owner.upload(`/busy/new-${round}/deep/file`, 'new');
        if (round % 3 === 0) await owner.move(first, second.path);
        if (round % 4 === 1) {
          await owner.recycle(second);
          await owner.purge(second);
        }
      }
    })();
    const answers = await race(atEveryInstance(taker, urls), 16, (person, index) =>
      person.call('POST', `/api/files/share-links/${token}/import`, { body: { path: `/taken/${index}` } }),
    );
    await changes;
    for (const { status, msg } of answers) assert.ok([200, 503].includes(status), `${status} ${msg}`);
  });
});

describe('a legacy link', () => {
  it('is created once by concurrent requests', async () => {
    const owner = await holdall.register('owner');
    const file = await owner.upload('/linked', 'x');
    const links = await race(atEveryInstance(owner, urls), 10, (person) =>
      person.ask<ShareLink>('POST', `/api/files/${file.id}/share-links`),
    );
    assert.equal(new Set(links.map((link) => link.token)).size, 1);
  });

  it('is imported once by concurrent requests for one directory', async () => {
    const owner = await holdall.register('owner');
    await owner.upload('/folder/deep/file', 'bytes');
    const [folder] = (await owner.list()).items.filter((entry) => entry.filename === 'folder');
    const { token } = await owner.ask<PublicShareLink>('POST', `/api/files/${folder?.id}/share-links`);
    const taker = await holdall.register('taker');
    const answers = await race(atEveryInstance(taker, urls), 10, (person) =>
      person.call('POST', `/api/files/share-links/${token}/import`, { body: { path: '/into' } }),
    );
    assert.deepEqual(countStatuses(answers), { 200: 1, 409: 9 });
    assert.equal(await taker.usedBytes(), 5);
  });
});
