// tier: full
// needs: bucket
// Ways to connect to an S3 store, and its behaviour while it cannot be reached.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { S3Store, type S3StoreOptions } from '../../src/storage/s3/s3.ts';
import { Gate } from '../support/network/gate.ts';
import { VirtualHostProxy } from '../support/network/virtual-host-proxy.ts';
import { send, WatchedSource } from '../support/storage/byte-sources.ts';
import { PiecewiseWrite } from '../support/storage/contract/piecewise-write.ts';
import { makeS3Store, readS3Engine, s3Options } from '../support/storage/s3-engine.ts';
import {
  assertMissing,
  claimNothing,
  failureOf,
  listAll,
  MIB,
  readAll,
} from '../support/storage/store-assertions.ts';

const engine = readS3Engine();
const LARGE = randomBytes(17 * MIB);

describe('an S3 store with other connection settings', () => {
  const opened: { close(): Promise<void> }[] = [];
  after(async () => {
    for (const each of opened) await each.close();
  });
  const open = async (changes: Partial<S3StoreOptions> = {}): Promise<S3Store> => {
    const underTest = await makeS3Store(changes);
    opened.push(underTest);
    return underTest.store;
  };

  it('works with the bucket in the host name as well as in the path', async () => {
    const proxy = await VirtualHostProxy.start(engine.endpoint, engine.secretAccessKey);
    try {
      const store = await open({ endpoint: proxy.endpoint, forcePathStyle: false });
      await tryEverything(store);
      assert.deepEqual([...proxy.hosts], [`${engine.bucket}.s3.test`]);
      await assert.rejects(
        (await open({ ...wrongSecret(), endpoint: proxy.endpoint, forcePathStyle: false })).check(),
      );
    } finally {
      await proxy.close();
    }
  });

  it('works with the newer checksums', async () => {
    await tryEverything(await open({ checksums: 'when-supported' }));
  });

  it('works without a prefix, next to objects of other programs', async () => {
    const [name, store] = [`alone-${engine.bucket}-${process.pid}`, await open({ prefix: '' })];
    await store.write(name, send(Buffer.of(1)));
    assert.deepEqual(
      (await listAll(store, name)).map(({ key }) => key),
      [name],
    );
    assert.ok((await listAll(store, '')).some(({ key }) => key === name));
    await store.remove([name]);
    assert.throws(() => new S3Store(s3Options({ prefix: '/a' })), /object key/);
  });

  it('signs URLs with the public endpoint and uses its own for requests', async () => {
    const gate = new Gate({ host: '127.0.0.1', port: Number(new URL(engine.endpoint).port) });
    await gate.open();
    try {
      const store = await open({ publicEndpoint: `http://127.0.0.1:${gate.port}` });
      const put = await store.direct.signPut('public', 6, 60_000);
      const download = { disposition: 'attachment', contentType: 'text/plain' };
      const url = await store.direct.signGet('public', download, 60_000);
      for (const signed of [put.url, url]) assert.equal(new URL(signed).port, `${gate.port}`);
      assert.equal(
        (await fetch(put.url, { method: 'PUT', headers: put.headers, body: 'public' })).status,
        200,
      );
      assert.equal(await (await fetch(url)).text(), 'public');
      await gate.close();
      await assert.rejects(fetch(url));
      await tryEverything(store, false);
    } finally {
      await gate.close();
    }
  });

  it('reports a configuration mistake in its check', async () => {
    const strangers = [
      [{ bucket: `no-such-${process.pid}` }, /bucket does not exist/],
      [wrongSecret(), /secret key/],
      [{ credentials: { accessKeyId: 'nobody', secretAccessKey: 'x' } }, /access key is unknown/],
    ] as const;
    for (const [changes, words] of strangers) await assert.rejects((await open(changes)).check(), words);
    await assert.rejects((await open(wrongSecret())).write('key', send(LARGE)), /secret key/);
  });
});

describe('an S3 store that cannot be reached for a while', () => {
  let gate: Gate;
  let underTest: Awaited<ReturnType<typeof makeS3Store>>;
  let store: S3Store;
  beforeEach(async () => {
    gate = new Gate({ host: '127.0.0.1', port: Number(new URL(engine.endpoint).port) });
    await gate.open();
    underTest = await makeS3Store({ endpoint: `http://127.0.0.1:${gate.port}` });
    store = underTest.store;
  });
  afterEach(async () => {
    await underTest.close();
    await gate.close();
  });

  it('fails every request with unavailable soon, and works again afterwards', async () => {
    await store.write('kept', send(Buffer.from('kept')));
    await gate.close();
    const begun = performance.now();
    const asked: readonly Promise<unknown>[] = [
      store.write('new', send(Buffer.of(1))),
      store.write('new', send(LARGE)),
      store.open('kept'),
      store.read('kept', { start: 0, end: 1 }),
      store.find('kept'),
      store.remove(['kept']),
      store.remove(['kept', 'other']),
      listAll(store, ''),
      store.copy('kept', 'new'),
      store.check(),
      store.removeAbandonedWrites(0, claimNothing),
      store.resumable.begin('new'),
      store.direct.beginMultipart('new'),
      store.direct.completeMultipart({ key: 'new', id: 'x' }, [{ number: 1, etag: 'x' }]),
      store.direct.abortMultipart({ key: 'new', id: 'x' }),
    ];
    for (const failure of await Promise.all(asked.map(failureOf))) {
      assert.equal(failure.kind, 'unavailable');
      assert.ok((failure.retryAfterSeconds ?? 0) > 0);
    }
    assert.ok(performance.now() - begun < 15_000);
    await gate.open();
    await store.check();
    assert.deepEqual(
      (await listAll(store, '')).map(({ key }) => key),
      ['kept'],
    );
  });

  it('shows nothing of a write that the outage interrupted, and the next one works', async () => {
    let closing = Promise.resolve();
    const source = new WatchedSource([LARGE], () => {
      closing = gate.close();
      return closing;
    });
    assert.equal((await failureOf(store.write('cut', source))).kind, 'unavailable');
    assert.equal(source.isEnded, true);
    await closing;
    await gate.open();
    await assertMissing(store, 'cut');
    await store.write('cut', send(LARGE));
    assert.ok((await readAll(store, 'cut')).equals(LARGE));
  });

  it('ends a write when a part cannot be sent, even while the source is silent', async () => {
    const wait = Promise.withResolvers<void>();
    const source = new WatchedSource([LARGE], async () => {
      await gate.close();
      await wait.promise;
    });
    assert.equal((await failureOf(store.write('silent', source))).kind, 'unavailable');
    wait.resolve();
  });

  it('fails in the middle of a download', async () => {
    await store.write('large', send(LARGE));
    const stream = await store.open('large');
    stream.once('data', () => void gate.close());
    assert.equal((await failureOf(buffer(stream))).kind, 'unavailable');
  });

  it('resumes from the last point reported before the outage', async () => {
    const write = await PiecewiseWrite.begin(store, 'outage', 20 * MIB);
    let closing = Promise.resolve();
    const source = new WatchedSource([write.next(17 * MIB)], async () => {
      while (write.point.size < 8 * MIB) await new Promise((resolve) => setTimeout(resolve, 5));
      closing = gate.close();
      await closing;
    });
    assert.equal((await failureOf(write.appendFrom(source))).kind, 'unavailable');
    assert.ok(write.point.size >= 8 * MIB && write.point.size < 17 * MIB);
    await closing;
    await gate.open();
    await write.append();
    await write.finishAndCheck();
  });
});

function wrongSecret(): Partial<S3StoreOptions> {
  return { credentials: { accessKeyId: engine.accessKeyId, secretAccessKey: 'wrong' } };
}

/** Exercises everything that depends on URLs, signatures and checksums. */
async function tryEverything(store: S3Store, isReachable = true): Promise<void> {
  await store.check();
  await store.write('way/small', send(Buffer.from('small')));
  await store.write('way/large', send(LARGE));
  assert.ok((await readAll(store, 'way/large')).equals(LARGE));
  assert.equal((await store.read('way/large', { start: 5, end: 14 })).length, 10);
  await store.copy('way/small', 'way/copy');
  assert.equal((await listAll(store, 'way')).length, 3);
  const write = await PiecewiseWrite.begin(store, 'way', 9 * MIB);
  await write.append(6 * MIB);
  await write.append();
  await write.finishAndCheck();
  if (isReachable) await tryDirectly(store);
  await store.remove(['way/small', 'way/large', 'way/copy', 'way/parts']);
  assert.deepEqual(await listAll(store, 'way'), []);
}

async function tryDirectly({ direct }: S3Store): Promise<void> {
  const upload = { key: 'way/parts', id: await direct.beginMultipart('way/parts') };
  const part = await direct.signPart(upload, { number: 1, size: 5 }, 60_000);
  const stored = await fetch(part.url, { method: 'PUT', body: 'parts' });
  await direct.completeMultipart(upload, [{ number: 1, etag: stored.headers.get('etag') ?? '' }]);
  const download = { disposition: 'attachment', contentType: 'text/plain' };
  assert.equal(await (await fetch(await direct.signGet('way/parts', download, 60_000))).text(), 'parts');
  const put = await direct.signPut('way/parts', 5, 60_000);
  const again = await fetch(put.url, { method: 'PUT', headers: put.headers, body: 'other' });
  assert.equal(again.status, 412);
}
