// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { CHANGES, newestOf, readChanges } from '../support/events/changes.ts';
import { EventReader, type StreamMessage, type StreamOptions } from '../support/events/event-reader.ts';
import { numbered, recordUnannounced } from '../support/events/unannounced-events.ts';

const DAY = 24 * 60 * 60 * 1_000;
/** The heartbeat interval: streams must get their events from messages, not from the periodic check. */
const NEVER_MS = 3_600_000;

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' }, eventBeatMs: NEVER_MS });
const { app, clock } = holdall;
const ann = await holdall.register('ann');

const pathsOf = (messages: readonly StreamMessage[]) => messages.map(({ data }) => data.toPath);

/** Opens a stream, reads `count` messages, including READY, and closes it. */
async function readStream(
  person: Person,
  count: number,
  options: StreamOptions,
): Promise<readonly StreamMessage[]> {
  const reader = await EventReader.open(person, options);
  await reader.until(() => reader.messages.length >= count);
  reader.close();
  return reader.messages;
}

async function mkdirs(person: Person, paths: readonly string[]): Promise<void> {
  for (const path of paths) await person.mkdir(path);
}

describe('changes', () => {
  test('are paged, oldest first, and each is returned once', async () => {
    const cursor = await newestOf(ann);
    await mkdirs(ann, numbered('/paged ', 7));
    const seen: unknown[] = [];
    let page = await readChanges(ann, { cursor, limit: 3 });
    const sizes = [page.items.length];
    seen.push(...page.items.map(({ toPath }) => toPath));
    while (page.hasMore) {
      assert.equal(page.nextCursor, page.items.at(-1)?.id);
      page = await readChanges(ann, { cursor: page.nextCursor, limit: 3 });
      sizes.push(page.items.length);
      seen.push(...page.items.map(({ toPath }) => toPath));
    }
    assert.deepEqual(sizes, [3, 3, 1]);
    assert.deepEqual(seen, numbered('/paged ', 7));
    assert.deepEqual(await readChanges(ann, { cursor: page.nextCursor }), {
      items: [],
      nextCursor: page.nextCursor,
      hasMore: false,
    });
  });

  test('are limited to 100 by default, and to 1,000 at most', async () => {
    const cursor = await newestOf(ann);
    const last = await recordUnannounced(holdall, ann, numbered('/many ', 1_050));
    const some = await readChanges(ann, { cursor });
    assert.deepEqual([some.items.length, some.hasMore], [100, true]);
    const most = await readChanges(ann, { cursor, limit: 5_000 });
    assert.deepEqual([most.items.length, most.hasMore], [1_000, true]);
    const rest = await readChanges(ann, { cursor: most.nextCursor, limit: 50 });
    assert.deepEqual([rest.items.length, rest.hasMore, rest.nextCursor], [50, false, last]);
  });

  test('begin with the oldest without a cursor', async () => {
    const newcomer = await holdall.register('newcomer');
    await newcomer.mkdir('/first');
    const { items } = await readChanges(newcomer);
    assert.deepEqual(
      items.map(({ toPath }) => toPath),
      ['/Documents', '/Pictures', '/Downloads', '/first'],
    );
  });

  test('are rejected for unknown and invalid cursors', async () => {
    const newest = await newestOf(ann);
    await ann.refused(410, 2410, 'GET', `${CHANGES}?cursor=${newest + 1_000}`);
    for (const query of ['cursor=x', 'cursor=-1', 'cursor=1.5', 'limit=0', 'limit=-1', 'limit=x']) {
      await ann.refused(400, 2400, 'GET', `${CHANGES}?${query}`);
    }
    await holdall.anonymous.refused(401, 2401, 'GET', CHANGES);
  });
});

describe('a stream that resumes another one', () => {
  test('sends the missed events after READY, in order, and then the new ones', async () => {
    const seen = await newestOf(ann);
    await mkdirs(ann, ['/missed 1', '/missed 2']);
    const reader = await EventReader.open(ann, { headers: { 'last-event-id': String(seen) } });
    const ready = await reader.next();
    assert.deepEqual([ready.id, ready.data.lastEventId], [seen, seen]);
    await reader.events(2);
    await ann.mkdir('/live');
    assert.deepEqual(pathsOf(await reader.events(3)), ['/missed 1', '/missed 2', '/live']);
    reader.close();
  });

  test('prefers the header to an older id in the URL', async () => {
    const older = await newestOf(ann);
    await ann.mkdir('/known');
    const newer = await newestOf(ann);
    await ann.mkdir('/unknown');
    const byQuery = await readStream(ann, 3, { query: { lastEventId: older } });
    assert.deepEqual(pathsOf(byQuery.slice(1)), ['/known', '/unknown']);
    const byBoth = await readStream(ann, 2, {
      query: { lastEventId: older },
      headers: { 'last-event-id': String(newer) },
    });
    assert.deepEqual(pathsOf(byBoth.slice(1)), ['/unknown']);
  });

  test('also filters the missed events by path and client', async () => {
    const seen = await newestOf(ann);
    const headers = { 'x-service-client-id': 'me' };
    await ann.mkdir('/x');
    await ann.mkdir('/x/theirs');
    await ann.ask('POST', '/api/files/mkdir', { body: { path: '/x/mine' }, headers });
    await ann.mkdir('/xy');
    await ann.mkdir('/x/theirs too');
    const messages = await readStream(ann, 4, { query: { path: '/x', lastEventId: seen }, headers });
    assert.deepEqual(pathsOf(messages.slice(1)), ['/x', '/x/theirs', '/x/theirs too']);
  });

  test('sends thousands of missed events and the new ones, each once', async () => {
    const seen = await newestOf(ann);
    const paths = numbered('/thousands ', 2_500);
    await recordUnannounced(holdall, ann, paths);
    const reader = await EventReader.open(ann, { query: { lastEventId: seen } });
    await mkdirs(ann, numbered('/meanwhile ', 20));
    const found = await reader.events(2_520);
    assert.deepEqual(pathsOf(found), [...paths, ...numbered('/meanwhile ', 20)]);
    reader.close();
  });

  test('sends RESYNC for an unknown id, and then the new events', async () => {
    const newest = await newestOf(ann);
    for (const lastEventId of [newest + 10_000, 'x', '-1', '1e3']) {
      const reader = await EventReader.open(ann, { headers: { 'last-event-id': String(lastEventId) } });
      const head = await newestOf(ann);
      await reader.until(() => reader.messages.length === 2);
      await ann.mkdir(`/after ${lastEventId}`);
      await reader.until(() => reader.messages.length === 3);
      const [ready, resync, live] = reader.messages;
      assert.deepEqual([ready?.event, ready?.id, resync?.event, resync?.id], ['READY', head, 'RESYNC', head]);
      const { createdAt, ...data } = resync?.data ?? {};
      assert.deepEqual(data, { eventType: 'RESYNC', path: '/', clientId: null, lastEventId: head });
      assert.ok(createdAt);
      assert.equal(live?.data.toPath, `/after ${lastEventId}`);
      reader.close();
    }
  });
});

describe('events that are older than 30 days', () => {
  test('are deleted in batches, and cursors before them are rejected', async () => {
    const old = await newestOf(ann);
    await recordUnannounced(holdall, ann, numbered('/old ', 2_300));
    const known = await newestOf(ann);
    clock.advance(20 * DAY);
    await ann.logIn();
    await ann.mkdir('/younger');
    clock.advance(11 * DAY);
    await ann.logIn();
    await app.cleanUp();
    const { items } = await readChanges(ann);
    assert.equal(items[0]?.toPath, '/younger');
    await ann.refused(410, 2410, 'GET', `${CHANGES}?cursor=${old}`);
    await ann.refused(410, 2410, 'GET', `${CHANGES}?cursor=0`);
    assert.deepEqual((await readChanges(ann, { cursor: known })).items, items);
    const messages = await readStream(ann, 2, { query: { lastEventId: old } });
    assert.deepEqual(
      messages.map(({ event }) => event),
      ['READY', 'RESYNC'],
    );
    const replayed = await readStream(ann, 2, { query: { lastEventId: known } });
    assert.deepEqual(pathsOf(replayed.slice(1)), ['/younger']);
  });

  test('are deleted except the very last event, so that its owner’s cursor stays valid', async () => {
    const bob = await holdall.register('bob');
    await bob.mkdir('/the last');
    const [ofAnn, ofBob] = [await newestOf(ann), await newestOf(bob)];
    clock.advance(40 * DAY);
    await Promise.all([ann.logIn(), bob.logIn()]);
    await app.cleanUp();
    await app.cleanUp();
    assert.deepEqual(
      (await readChanges(bob)).items.map(({ toPath }) => toPath),
      ['/the last'],
    );
    assert.deepEqual((await readChanges(bob, { cursor: ofBob })).items, []);
    // None of ann's events are left, so her old cursor is invalid, but a new one is valid.
    await ann.refused(410, 2410, 'GET', `${CHANGES}?cursor=${ofAnn}`);
    const { items, nextCursor } = await readChanges(ann);
    assert.deepEqual(items, []);
    const [ready] = await readStream(ann, 1, {});
    assert.equal(ready?.id, nextCursor);
    await ann.mkdir('/again');
    const paths = (await readChanges(ann, { cursor: nextCursor })).items.map(({ toPath }) => toPath);
    assert.deepEqual(paths, ['/again']);
  });
});
