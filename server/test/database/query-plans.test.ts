// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { inFull } from '../../../tools/testing/tiers.ts';
import { toLogicalPath } from '../../src/base/text/names/logical-path.ts';
import type { Tx } from '../../src/database/database.ts';
import { SORT_KEYS } from '../../src/drive/contract.ts';
import { Search, type SearchConditions } from '../../src/drive/search/search.ts';
import { findNewestEvents } from '../../src/events/queries.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { PlainTexts, takeTexts } from '../support/content-search/plain-texts.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { createManagedDrive, DRIVES, inDrive } from '../support/drives/shared-drives.ts';
import { readChanges } from '../support/events/changes.ts';
import { EventReader } from '../support/events/event-reader.ts';
import { beginTus, FOLDER_LINKS, linkFolder, Visitor } from '../support/folder-links/folder-links.ts';
import { makePng } from '../support/media/pictures.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { cancelTask, listTasks, queueTask, TASKS, waitFor, waitForStatus } from '../support/tasks/tasks.ts';
import {
  join,
  lookUp,
  openOnline,
  Peer,
  type PeerSession,
  TRANSFERS,
  withToken,
} from '../support/transfer/transfer.ts';
import { openSession } from '../support/uploads/upload-session.ts';

type Query = Pick<CompiledQuery, 'sql' | 'parameters'>;

let queries: Query[] = [];
const holdall = await startHoldall({
  onQuery: (query) => queries.push(query),
  extraction: new PlainTexts(),
});
await withoutDirect(holdall);
const alice = await holdall.register('alice');
const tree = await alice.mkdir('/tree');
const file = await alice.upload('/tree/a/file', 'x');
const shared = await createManagedDrive(holdall, [[alice, 'EDITOR']]);

const acts: Readonly<Record<string, () => Promise<unknown>>> = {
  'a page of a directory': () => alice.list('/tree/a', { size: 100 }),
  // SQLite once chose a different plan for a path with a single name than for longer paths.
  'a page of a top-level directory': () => alice.list('/tree', { size: 100 }),
  'the recent files': () => alice.recent(),
  'a download': () => alice.download(file),
  details: () => alice.details(file),
  'an upload': () => alice.upload('/tree/a/new', 'x'),
  'a rename': () => alice.rename(file, 'renamed'),
  'a move': () => alice.move(file, '/Documents'),
  'a copy of a tree': () => alice.copy(tree, '/Pictures'),
  'a directory as an archive': () => alice.fetch('GET', `/api/files/download/${tree.id}`),
  'a search': () => alice.ask('GET', '/api/v2/files/search?name=file&path=/tree'),
  'a search for a short text': () => alice.ask('GET', '/api/v2/files/search?name=f&size=1'),
  'a search for words': () => alice.ask('GET', '/api/v2/files/search?q=file e&under=/tree&kind=DOCUMENT'),
  'the texts of new files': async () => {
    await alice.upload('/tree/a/text.txt', 'words of a text', 'text/plain');
    await takeTexts(holdall);
  },
  'a search in content': () => alice.ask('GET', '/api/v2/files/search?in=content&q=words of&under=/tree'),
  'a search in names and content': () => alice.ask('GET', '/api/v2/files/search?in=all&q=text words'),
  'a star': () => alice.ask('PUT', `/api/v2/files/${tree.id}/star`),
  'a page of starred entries': () => alice.ask('GET', '/api/v2/files/starred'),
  'a page of the timeline': () => alice.ask('GET', '/api/v2/files/timeline'),
  'the months of the timeline': () => alice.ask('GET', '/api/v2/files/timeline/months'),
  'a deletion': () => alice.recycle(tree),
  'a page of the bin': () => alice.bin(),
  'a restore': () => alice.restore(tree),
  'a session': async () => {
    const { calls } = await openSession(alice, { filename: 'in a session', size: 3 });
    await calls.send('abc');
    await calls.get();
    await calls.complete();
  },
  'a session that is cancelled': async () => {
    const { calls } = await openSession(alice, { filename: 'cancelled', size: 3 });
    await calls.cancel();
  },
  'shares and links': async () => {
    const shared = await alice.upload('/shared', 'x');
    const { token } = await alice.ask<{ token: string }>('POST', '/api/v2/shares', {
      body: { fileId: shared.id },
    });
    const { anonymous } = holdall;
    await anonymous.ask('GET', `/api/v2/shares/${token}`);
    await (await anonymous.fetch('GET', `/api/v2/shares/${token}?download`)).arrayBuffer();
    await alice.ask('GET', '/api/v2/shares/mine');
    await alice.ask('POST', `/api/v2/shares/${token}/import`, { body: { path: '/imported' } });
    const directory = await alice.mkdir('/linked/below');
    const link = await alice.ask<{ token: string }>('POST', `/api/files/${directory.id}/share-links`);
    await anonymous.ask('GET', `/api/files/share-links/${link.token}`);
    await alice.ask('POST', `/api/files/share-links/${link.token}/import`, { body: { path: '/imported' } });
  },
  'folder links': async () => {
    const directory = await alice.mkdir('/linked/folder');
    const link = await linkFolder(alice, directory, { mode: 'BOTH', maxFiles: 9, maxBytes: 1_000 });
    const visitor = new Visitor(holdall.url, link);
    await visitor.see();
    await visitor.send('a.txt', 'x', { path: '/deep/er' });
    await visitor.send('a.txt', 'x', { path: '/deep/er' });
    await (await beginTus(visitor, 'b.txt', 1)).patch(0, 'x');
    await visitor.entries('/deep/er');
    await visitor.read(['/b.txt', '/deep/er']);
    await visitor.read('/');
    await alice.ask('GET', `${FOLDER_LINKS}/mine`);
    await alice.ask('PATCH', `${FOLDER_LINKS}/${link.id}`, { body: { title: 'other' } });
    const body = { path: '/deep', targetPath: '/imported' };
    await alice.ask('POST', `${FOLDER_LINKS}/${link.token}/import`, { body });
    await alice.ask('DELETE', `${FOLDER_LINKS}/${link.id}`);
  },
  'a transfer': async () => {
    const { anonymous } = holdall;
    const made = await openOnline(anonymous);
    await lookUp(anonymous, made.pickupCode);
    await new Peer(anonymous, made).send('offer');
    const joined = await join(anonymous, made);
    const signals = await new Peer(anonymous, joined).read();
    await new Peer(anonymous, joined).read(signals.nextCursor);
    await anonymous.ask('DELETE', `${TRANSFERS}/${made.sessionId}`, withToken(made.peerToken));
  },
  'an OFFLINE transfer': async () => {
    const body = { mode: 'OFFLINE', files: [{ name: 'a', size: 1 }] };
    const made = await alice.ask<PeerSession>('POST', TRANSFERS, { body });
    const url = `${TRANSFERS}/${made.sessionId}/files/${made.files[0]?.id}`;
    const headers = { 'content-type': 'application/octet-stream' };
    await alice.ask('POST', `${url}/content`, { body: 'x', headers });
    await alice.ask('GET', `${TRANSFERS}/offline/mine`);
    await (await alice.fetch('GET', `${url}/download`)).arrayBuffer();
    await alice.ask('POST', `${url}/import`, { body: { path: '/transferred' } });
    await alice.ask('DELETE', `${TRANSFERS}/${made.sessionId}`);
  },
  'a task from its beginning to its end': async () => {
    const picture = await alice.upload('/tree/a/a.png', makePng(), 'image/png');
    await waitFor(
      () => listTasks(alice),
      ({ items }) => items.length > 0 && items.every(({ status }) => status === 'COMPLETED'),
    );
    await alice.copy(picture, '/Documents');
    const task = await queueTask(alice, picture, { type: 'MEDIA_META', correlationId: 'mine' });
    await queueTask(alice, picture, { type: 'MEDIA_META', correlationId: 'mine' });
    await waitForStatus(alice, task, 'COMPLETED');
    await cancelTask(alice, task);
    await alice.call('POST', `${TASKS}/${task.id}/retry`);
    await holdall.app.tasks.runner.recover();
  },
  'a page of changes': () => readChanges(alice, { limit: 10 }),
  'the activity of a shared drive': async () => {
    await inDrive(alice, shared).mkdir('/d');
    for (let count = 0; count < 2; count += 1) await alice.ask('GET', `${DRIVES}/${shared}/activity`);
  },
  'a stream that resumes': async () => {
    const { nextCursor } = await readChanges(alice, { limit: 1 });
    const reader = await EventReader.open(alice, { query: { lastEventId: nextCursor } });
    await reader.events(2);
    await alice.mkdir('/streamed');
    await reader.until(() => reader.messages.at(-1)?.data.toPath === '/streamed');
    await holdall.app.accounts.findLiveSessions(['a', 'b']);
    reader.close();
  },
  'a check for missed events': async () => {
    const { db } = holdall.app.database;
    await findNewestEvents(db, [alice.driveId, 1, 2]);
  },
  'a clean-up': () => holdall.app.cleanUp(),
};
for (const [what, act] of Object.entries(acts)) {
  test(`${what} scans neither a whole table nor a whole directory for a name`, async () => {
    queries = [];
    await act();
    // A `set` statement has no plan.
    const watched = queries.filter(({ sql }) => !sql.startsWith('set '));
    assert.ok(watched.length > 0);
    for (const query of watched) {
      const plan = await explain(query);
      assert.doesNotMatch(
        plan,
        /\b(SCAN|Seq Scan on) "?(entry|blob|text_queue|blob_text|event|session|account|upload_ticket|upload_session|upload_part|share|transfer_session|transfer_file|transfer_signal|task|copy|child)\b/,
        `${query.sql}\n${plan}`,
      );
      assert.doesNotMatch(plan, /entry__parent_id__name \(parent_id=\?\)/, `${query.sql}\n${plan}`);
    }
  });
}

test('the activity of a shared drive skips stars and what the service does itself', async () => {
  await inDrive(alice, shared).mkdir('/e');
  queries = [];
  for (let count = 0; count < 2; count += 1) await alice.ask('GET', `${DRIVES}/${shared}/activity`);
  const asked = queries.filter(({ sql }) => sql.includes('reader_id is null'));
  assert.ok(asked.length >= 2);
  for (const query of asked) assert.match(await explain(query), /event__activity/, query.sql);
});

for (const query of [
  'status=COMPLETED',
  'status=FAILED&type=ARCHIVE',
  'status=FAILED&userQuery=alice',
  'type=STORAGE_POLICY_MIGRATION',
  'failureCategory=UNKNOWN',
  'leaseState=EXPIRED',
  'leaseState=ACTIVE&type=ARCHIVE',
  'userQuery=alice',
]) {
  test(`the task list uses an index for ${query}`, async () => {
    const admin = await holdall.admin();
    queries = [];
    await admin.ask('GET', `/api/admin/tasks?${query}`);
    // The queries for the total and the page. The details of the page are read by id.
    const asked = queries.filter(({ sql }) =>
      /^select (count\(\*\) as "total" from "task"|"id" from "task" .*order by "id" desc)/s.test(sql),
    );
    assert.equal(asked.length, 2);
    for (const { sql, parameters } of asked) {
      const plan = await explain({ sql, parameters });
      assert.match(plan, /task_(_\w+|pkey)/, `${sql}\n${plan}`);
      assert.doesNotMatch(plan, /\b(SCAN|Seq Scan on) "?task\b/, `${sql}\n${plan}`);
    }
  });
}

for (const sort of [undefined, ...SORT_KEYS]) {
  for (const order of ['asc', 'desc']) {
    // In this order PostgreSQL does not merge the two parts of the index, but sorts the directory.
    if (isPostgres && sort === undefined && order === 'desc') continue;
    test(`pages of a directory are read in index order (${sort ?? 'default'} ${order})`, async () => {
      queries = [];
      await alice.list('/tree/a', { size: 100, order, ...(sort === undefined ? {} : { sort }) });
      const page = queries.find(({ sql }) => /order by .*limit/s.test(sql));
      assert.ok(page);
      const plan = await explain(page);
      assert.match(plan, /entry__page/);
      assert.doesNotMatch(plan, /TEMP B-TREE|Sort(?! Key)/);
    });
  }
}

await alice.mkdir('/searched/Downloads');
await alice.upload('/searched/letter.txt', 'x', 'text/plain');
const searchMany = new Search(holdall.app.database, -1);
const NO_RANGE = { from: undefined, to: undefined };
const ANYTHING: SearchConditions = {
  name: undefined,
  words: undefined,
  isDirectory: undefined,
  kind: undefined,
  size: NO_RANGE,
  created: NO_RANGE,
  updated: NO_RANGE,
  modified: NO_RANGE,
  paths: [],
};
const conditionSets: Readonly<Record<string, SearchConditions>> = {
  anything: ANYTHING,
  'a name': { ...ANYTHING, name: 'own' },
  'a short name': { ...ANYTHING, name: 'o' },
  'directories of a time range': {
    ...ANYTHING,
    isDirectory: true,
    size: { from: 0, to: 1 },
    created: { from: 1, to: 1e15 },
    updated: { from: 1, to: 1e15 },
  },
  'a name below a directory': { ...ANYTHING, name: 'own', paths: [toLogicalPath('/searched')] },
  words: { ...ANYTHING, words: 'own load' },
  'short words': { ...ANYTHING, words: 'o w' },
  'words below a directory': { ...ANYTHING, words: 'own load', paths: [toLogicalPath('/searched')] },
  documents: { ...ANYTHING, kind: 'DOCUMENT' },
  'other files': { ...ANYTHING, kind: 'OTHER' },
  'pictures of a time range': { ...ANYTHING, kind: 'IMAGE', modified: { from: 1, to: 1e15 } },
};

for (const [what, question] of Object.entries(conditionSets)) {
  test(`a search for ${what} scans the index of the owner's names and reads only matching entries`, async () => {
    queries = [];
    await searchMany.find([alice.driveId], question, { page: 0, size: 100 });
    const counting = queries.find(({ sql }) => /^\s*select count\(\*\) as total/.test(sql));
    const pages = queries.filter(({ sql }) => sql.includes('piece'));
    assert.ok(counting);
    assert.ok(pages.length > 0);
    assert.match(await explain(counting), COVERED);
    for (const page of pages) {
      const plan = await explain(page);
      assert.match(plan, COVERED);
      // Only the rows of the page may be sorted.
      if (!isPostgres) assert.doesNotMatch(plan.slice(0, plan.indexOf('piece', 20)), /TEMP B-TREE/);
    }
  });
}

test('the sum of announced bytes reads only its index, which also finds open uploads of visitors', async () => {
  const directory = await alice.mkdir('/summed');
  const link = await linkFolder(alice, directory, { mode: 'UPLOAD', maxFiles: 9, maxBytes: 1_000 });
  queries = [];
  await beginTus(new Visitor(holdall.url, link), 'a.txt', 1);
  const sums = queries.filter(({ sql }) => /^select .*sum\(.*from "upload_session"/s.test(sql));
  assert.equal(sums.length, 2);
  // For a small table PostgreSQL may choose any index, so the others are dropped.
  const others = ['upload_session__expiry', 'upload_session__folder_link_id', 'upload_session__created_at'];
  const before = isPostgres ? others.map((name) => `drop index ${name}`) : [];
  const [ofVisitors, ofAll] = [true, false].map((isOfVisitors) =>
    sums.find(({ sql }) => sql.includes('received_bytes') === isOfVisitors),
  );
  assert.ok(ofVisitors !== undefined && ofAll !== undefined);
  const [covered, found] = isPostgres
    ? [/Index Only Scan using upload_session__open/, /Index Scan using upload_session__open/]
    : [/COVERING INDEX upload_session__open/, /SEARCH upload_session USING INDEX upload_session__open/];
  assert.match(await explain(ofAll, before), covered);
  assert.match(await explain(ofVisitors, before), found);
});

test('the timeline is read in the order of its index, and months without reading rows', async () => {
  const TIMELINE = '/api/v2/files/timeline';
  const before = Buffer.from('9000000000000:9000000000000').toString('base64url');
  for (const path of [TIMELINE, `${TIMELINE}?before=${before}`, `${TIMELINE}/months`]) {
    queries = [];
    await alice.ask('GET', path);
    const query = queries.find(({ sql }) => sql.includes('coalesce(entry.taken_local'));
    assert.ok(query);
    const plan = await explain(query);
    if (path.endsWith('months')) {
      assert.match(
        plan,
        isPostgres ? /Index Only Scan using entry__timeline/ : /COVERING INDEX entry__timeline/,
      );
    } else {
      assert.match(plan, /entry__timeline/);
      assert.doesNotMatch(plan, /TEMP B-TREE|Sort(?! Key)/);
      if (!isPostgres && path.includes('before'))
        assert.match(plan, /entry__timeline \(drive_id=\? AND <expr></);
    }
  }
});

const COVERED = isPostgres
  ? /Index Only Scan using entry__search/
  : /SEARCH entry USING COVERING INDEX entry__search/;

for (const query of ['name=never there', 'q=never there', 'q=x never']) {
  // PostgreSQL needs many rows to plan for a large drive. This query uses both indexes.
  const inTier = isPostgres && query !== 'q=never there' ? inFull : {};
  test(
    `a search with a text of at least three characters uses the trigram index (${query})`,
    inTier,
    async () => {
      queries = [];
      await alice.ask('GET', `/api/v2/files/search?${query}`);
      const search = queries.find(({ sql }) => sql.includes('found'));
      assert.ok(search);
      if (isPostgres) {
        // The planner would not use the index for a drive as small as in tests.
        const plan = await explain(search, [FILL, 'analyze entry']);
        assert.match(plan, /Bitmap Index Scan on entry__trigrams/);
        if (query.startsWith('q=')) assert.match(plan, /Bitmap Index Scan on entry__plain_trigrams/);
      } else {
        const plan = await explain(search);
        assert.match(plan, /entry_search VIRTUAL TABLE INDEX/);
        assert.match(plan, /SEARCH entry USING INTEGER PRIMARY KEY/);
      }
    },
  );
}

const FILL = `
  insert into entry (drive_id, parent_id, name, folded_name, is_directory, size, created_at, updated_at)
  select ${alice.driveId}, ${tree.id}, 'entry number ' || number, 'entry number ' || number, 1, 0, 1, 1
  from generate_series(1, 20000) as number`;

/** Returns the plan of a query, as if no table were small. The settings for that are rolled back. */
async function explain({ sql, parameters }: Query, before: readonly string[] = []): Promise<string> {
  const verb = isPostgres ? 'explain' : 'explain query plan';
  const undone = new Error('undone');
  let plan = '';
  const work = async (tx: Tx) => {
    for (const statement of before) await tx.executeQuery(CompiledQuery.raw(statement));
    const settings = isPostgres ? ['enable_seqscan', 'enable_sort'] : [];
    for (const name of settings) await tx.executeQuery(CompiledQuery.raw(`set local ${name} = off`));
    const { rows } = await tx.executeQuery(CompiledQuery.raw(`${verb} ${sql}`, [...parameters]));
    plan = rows.map((row) => Object.values(row as object).join(' ')).join('\n');
    throw undone;
  };
  await assert.rejects(holdall.app.database.transact(work), undone);
  return plan;
}
