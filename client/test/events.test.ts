// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { inFull } from '../../tools/testing/tiers.ts';
import { type DriveEvent, Holdall, MemoryTokenStore, UnauthenticatedError } from '../src/client.ts';
import { logInNewUser } from './logged-in.ts';

const service = await startHoldall({ eventBeatMs: 100 });

/** Reads the next event that is a change or a gap. */
async function next(events: AsyncGenerator<DriveEvent>): Promise<DriveEvent> {
  const { value } = await events.next();
  assert.ok(value, 'the events have ended');
  return value;
}

describe('the events of a drive', () => {
  test('start with the moment from which nothing is missed', async () => {
    const { holdall } = await logInNewUser(service);
    const events = holdall.events.watch();
    const ready = await next(events);
    assert.equal(ready.kind, 'ready');
    assert.equal(ready.cursor, await holdall.events.newestCursor());
    await holdall.drive.makeDirectory('/one');
    const event = await next(events);
    assert.ok(event.kind === 'change');
    assert.deepEqual([event.change.eventType, event.change.toPath], ['CREATED', '/one']);
    assert.equal(event.change.id, event.cursor);
    await events.return();
  });

  test('continue after a cursor from another run', async () => {
    const { holdall } = await logInNewUser(service);
    const cursor = await holdall.events.newestCursor();
    for (const name of ['a', 'b', 'c']) await holdall.drive.makeDirectory(`/${name}`);
    const paths: (string | null)[] = [];
    for await (const event of holdall.events.watch({ cursor })) {
      if (event.kind === 'change') paths.push(event.change.toPath);
      if (paths.length === 3) break;
    }
    assert.deepEqual(paths, ['/a', '/b', '/c']);
    const past: (string | null)[] = [];
    for await (const change of holdall.events.changes(cursor)) past.push(change.toPath);
    assert.deepEqual(past, paths);
  });

  test('report a cursor that is too old, and continue', async () => {
    const { holdall } = await logInNewUser(service);
    const events = holdall.events.watch({ cursor: 123_456_789 });
    const [ready, gap] = [await next(events), await next(events)];
    assert.deepEqual([ready.kind, gap.kind], ['ready', 'resync']);
    await holdall.drive.makeDirectory('/after-the-gap');
    const event = await next(events);
    assert.ok(event.kind === 'change' && event.cursor > gap.cursor);
    await events.return();
  });

  test('leave out changes by the same client, and those at other paths', async () => {
    const tokens = new MemoryTokenStore();
    const { holdall } = await logInNewUser(service, { tokens, clientId: 'this-one' });
    const other = new Holdall({ url: service.url, tokens });
    const events = holdall.events.watch({ path: '/watched' });
    assert.equal((await next(events)).kind, 'ready');
    await holdall.drive.makeDirectory('/watched/own');
    await other.drive.makeDirectory('/elsewhere');
    await other.drive.makeDirectory('/watched/foreign');
    const event = await next(events);
    assert.ok(event.kind === 'change');
    assert.equal(event.change.toPath, '/watched/foreign');
    await events.return();
  });

  test('continue when the token of the stream expires', async () => {
    const { holdall } = await logInNewUser(service);
    const events = holdall.events.watch();
    assert.equal((await next(events)).kind, 'ready');
    service.clock.advance(16 * 60_000);
    await holdall.drive.makeDirectory('/renewed');
    const event = await next(events);
    assert.ok(event.kind === 'change' && event.change.toPath === '/renewed');
    // The stream of the expired token ends within seconds. The next one starts without a gap or a repetition.
    await holdall.drive.makeDirectory('/renewed/again');
    const again = await next(events);
    assert.ok(again.kind === 'change' && again.change.toPath === '/renewed/again');
    await events.return();
  });

  test('end with an error when the login has ended', async () => {
    const { holdall } = await logInNewUser(service);
    const events = holdall.events.watch();
    await next(events);
    await holdall.auth.logOut();
    await assert.rejects(events.next(), UnauthenticatedError);
  });

  test('end immediately with the reason of the signal', async () => {
    const { holdall } = await logInNewUser(service);
    const controller = new AbortController();
    const events = holdall.events.watch({ signal: controller.signal });
    await next(events);
    const reason = new Error('no longer wanted');
    const waiting = events.next();
    controller.abort(reason);
    await assert.rejects(waiting, reason);
  });

  test('are requested again when the stream is silent', inFull, async () => {
    const tokens = new MemoryTokenStore();
    await logInNewUser(service, { tokens });
    let streams = 0;
    const silent: typeof fetch = async (url, request) => {
      if (!String(url).includes('/events')) return fetch(url, request);
      streams += 1;
      if (streams > 1) return fetch(url, request);
      const body = new ReadableStream({
        start: (stream) =>
          request?.signal?.addEventListener('abort', () => stream.error(request.signal?.reason)),
      });
      return new Response(body, { status: 200 });
    };
    const client = new Holdall({ url: service.url, tokens, fetch: silent });
    const events = client.events.watch({ silenceMs: 1_000 });
    assert.equal((await next(events)).kind, 'ready');
    assert.ok(streams >= 2);
    await events.return();
  });
});
