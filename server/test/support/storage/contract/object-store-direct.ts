import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { inFull } from '../../../../../tools/testing/tiers.ts';
import type {
  DirectTransfers,
  MultipartUpload,
  RecordedPart,
  SignedRequest,
} from '../../../../src/storage/direct-transfers.ts';
import type { ObjectStore } from '../../../../src/storage/object-store.ts';
import { send } from '../byte-sources.ts';
import {
  assertMissing,
  assertPlainError,
  failureOf,
  type GetStore,
  MIB,
  readAll,
} from '../store-assertions.ts';

const MINUTE_MS = 60_000;
const DOWNLOAD = { disposition: `attachment; filename="x y.txt"`, contentType: 'text/plain' };

/** Tests what a store promises to clients that send signed requests. */
export function testDirectTransfers(getStore: GetStore): void {
  const direct = () => directOf(getStore());
  testSignedPuts(getStore, direct);
  testSignedGets(getStore, direct);
  testSignedParts(getStore, direct);
  testMultipartEnds(getStore, direct);
}

type GetDirect = () => DirectTransfers;

function testSignedPuts(getStore: GetStore, direct: GetDirect): void {
  for (const size of [0, 1, 100_000]) {
    it(`accept a put of exactly ${size} bytes`, async () => {
      const [key, bytes] = [`test/direct/put/${size}`, randomBytes(size)];
      const request = await direct().signPut(key, size, MINUTE_MS);
      for (const wrong of [size + 1, size - 1]) {
        if (wrong >= 0) assert.equal(await statusOf(request, randomBytes(wrong)), 403);
      }
      await assertMissing(getStore(), key);
      assert.equal(await statusOf(request, bytes), 200);
      assert.deepEqual(await readAll(getStore(), key), bytes);
    });
  }

  it('never replace an object by a signed put, not even by the same one', async () => {
    const key = 'test/direct/once';
    const request = await direct().signPut(key, 5, MINUTE_MS);
    assert.equal(await statusOf(request, Buffer.from('first')), 200);
    assert.equal(await statusOf(request, Buffer.from('other')), 412);
    assert.equal((await readAll(getStore(), key)).toString(), 'first');
    const without = await fetch(request.url, { method: 'PUT', body: Buffer.from('other') });
    assert.equal(without.status, 403);
    assert.equal((await readAll(getStore(), key)).toString(), 'first');
  });

  it('bind a signed put to its key and method', async () => {
    const request = await direct().signPut('test/direct/bound', 5, MINUTE_MS);
    const elsewhere = { ...request, url: request.url.replace('/bound', '/other') };
    assert.equal(await statusOf(elsewhere, Buffer.from('bytes')), 403);
    await assertMissing(getStore(), 'test/direct/other');
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await fetch(request.url, { method, headers: request.headers })).status, 403);
    }
  });

  it('reject a signed put with a changed query, or after its lifetime', inFull, async () => {
    const request = await direct().signPut('test/direct/query', 5, MINUTE_MS);
    const longer = { ...request, url: request.url.replace('X-Amz-Expires=60', 'X-Amz-Expires=600') };
    assert.notEqual(longer.url, request.url);
    assert.equal(await statusOf(longer, Buffer.from('bytes')), 403);
    const short = await direct().signPut('test/direct/query', 5, 1_000);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    assert.equal(await statusOf(short, Buffer.from('bytes')), 403);
    await assertMissing(getStore(), 'test/direct/query');
  });

  it('do not sign an invalid put', async () => {
    const { maxPutBytes } = direct();
    for (const size of [-1, 0.5, maxPutBytes + 1]) {
      await assertPlainError(direct().signPut('test/direct/size', size, MINUTE_MS));
    }
    await assertPlainError(direct().signPut('../direct', 5, MINUTE_MS));
    await assertPlainError(direct().signPut('test/direct/time', 5, 0));
  });
}

function testSignedGets(getStore: GetStore, direct: GetDirect): void {
  it('send an object as a download with the given name and type, whole or in ranges', async () => {
    const [key, bytes] = ['test/direct/get', randomBytes(70_000)];
    await getStore().write(key, send(bytes));
    const url = await direct().signGet(key, DOWNLOAD, MINUTE_MS);
    const whole = await fetch(url);
    assert.equal(whole.status, 200);
    assert.equal(whole.headers.get('content-disposition'), DOWNLOAD.disposition);
    assert.equal(whole.headers.get('content-type'), DOWNLOAD.contentType);
    assert.ok(Buffer.from(await whole.arrayBuffer()).equals(bytes));
    const range = await fetch(url, { headers: { range: 'bytes=10-19' } });
    assert.equal(range.status, 206);
    assert.deepEqual(Buffer.from(await range.arrayBuffer()), bytes.subarray(10, 20));
  });

  it('accept file names in any script', async () => {
    await getStore().write('test/direct/name', send(Buffer.of(1)));
    const disposition = `attachment; filename="____.pdf"; filename*=UTF-8''${encodeURIComponent('日本 ä+&.pdf')}`;
    const url = await direct().signGet('test/direct/name', { ...DOWNLOAD, disposition }, MINUTE_MS);
    assert.equal((await fetch(url)).headers.get('content-disposition'), disposition);
  });

  it('bind a download to its object, headers and lifetime', async () => {
    for (const name of ['mine', 'yours'])
      await getStore().write(`test/direct/${name}`, send(Buffer.from(name)));
    const url = await direct().signGet('test/direct/mine', DOWNLOAD, MINUTE_MS);
    for (const changed of [
      url.replace('/mine', '/yours'),
      url.replace('attachment', 'inline'),
      url.replace('text%2Fplain', 'text%2Fhtml'),
      url.replace('X-Amz-Expires=60', 'X-Amz-Expires=61'),
      url.replace(/&X-Amz-Signature=[^&]*/, ''),
    ]) {
      assert.notEqual(changed, url);
      assert.equal((await fetch(changed)).status, 403, changed);
    }
    assert.equal(await (await fetch(url)).text(), 'mine');
  });

  it('do not sign a download that a browser would display', async () => {
    for (const disposition of ['inline', '', 'inline; filename="attachment"']) {
      await assertPlainError(direct().signGet('test/direct/get', { ...DOWNLOAD, disposition }, MINUTE_MS));
    }
  });
}

function testSignedParts(getStore: GetStore, direct: GetDirect): void {
  it('join the parts that clients have put to one object', async () => {
    const { upload, chunks, parts } = await putParts(direct(), 'whole', [5 * MIB, 6 * MIB, 1_000]);
    await assertMissing(getStore(), upload.key);
    await direct().completeMultipart(upload, parts);
    assert.ok((await readAll(getStore(), upload.key)).equals(Buffer.concat(chunks)));
  });

  it('accept ETags without quotes, and use the last of two parts with the same number', async () => {
    const { upload, parts } = await putParts(direct(), 'bare', [5 * MIB, 10]);
    const [again] = await putAll(direct(), upload, [Buffer.alloc(5 * MIB, 7)]);
    assert.ok(again !== undefined && parts[1] !== undefined);
    const bare = [again, parts[1]].map(({ number, etag }) => ({ number, etag: etag.replaceAll('"', '') }));
    await direct().completeMultipart(upload, bare);
    const found = await readAll(getStore(), upload.key);
    assert.ok(found.subarray(0, 5 * MIB).equals(Buffer.alloc(5 * MIB, 7)));
  });

  it('bind a signed part to its length, number and upload', async () => {
    const upload = await beginUpload(direct(), 'strict');
    const other = await beginUpload(direct(), 'stranger');
    const request = await direct().signPart(upload, { number: 1, size: 1_000 }, MINUTE_MS);
    assert.equal(await statusOf(request, randomBytes(999)), 403);
    assert.equal(await statusOf(request, randomBytes(1_001)), 403);
    for (const url of [
      request.url.replace('partNumber=1', 'partNumber=2'),
      request.url.replace(encodeURIComponent(upload.id), encodeURIComponent(other.id)),
      request.url.replace('/strict', '/stranger'),
    ]) {
      assert.notEqual(url, request.url);
      assert.equal(await statusOf({ ...request, url }, randomBytes(1_000)), 403, url);
    }
    assert.equal(await statusOf(request, randomBytes(1_000)), 200);
    for (const each of [upload, other]) await direct().abortMultipart(each);
  });

  it('do not sign an invalid part', async () => {
    const upload = { key: 'test/direct/parts', id: 'x' };
    for (const number of [0, 1.5, direct().maxParts + 1]) {
      await assertPlainError(direct().signPart(upload, { number, size: 10 }, MINUTE_MS));
    }
    const size = direct().maxPartBytes + 1;
    await assertPlainError(direct().signPart(upload, { number: 1, size }, MINUTE_MS));
  });
}

function testMultipartEnds(getStore: GetStore, direct: GetDirect): void {
  it('can complete an upload again', async () => {
    const { upload, parts } = await putParts(direct(), 'again', [10]);
    await direct().completeMultipart(upload, parts);
    await direct().completeMultipart(upload, parts);
    assert.equal((await getStore().find(upload.key))?.size, 10);
  });

  it('reject parts that differ from those named, and leave the upload unchanged', async () => {
    const { upload, parts } = await putParts(direct(), 'wrong', [5 * MIB, 5 * MIB, 10]);
    const [first, second, third] = parts;
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    for (const wrong of [
      [],
      [{ ...first, etag: second.etag }, second, third],
      [first, second, third, { number: 4, etag: third.etag }],
      [first, third, second],
      [first, first, second, third],
      [{ ...first, etag: '<&"\u{1f600}' }, second, third],
    ]) {
      assert.equal((await failureOf(direct().completeMultipart(upload, wrong))).kind, 'rejected');
      await assertMissing(getStore(), upload.key);
    }
    await direct().completeMultipart(upload, parts);
    assert.equal((await getStore().find(upload.key))?.size, 10 * MIB + 10);
  });

  it('reject a part that is too small and not the last', async () => {
    const { upload, parts } = await putParts(direct(), 'small', [1_000, 10]);
    assert.equal((await failureOf(direct().completeMultipart(upload, parts))).kind, 'rejected');
    await direct().abortMultipart(upload);
  });

  it('reject an unknown upload', async () => {
    const { upload, parts } = await putParts(direct(), 'aborted', [10]);
    await direct().abortMultipart(upload);
    assert.equal((await failureOf(direct().completeMultipart(upload, parts))).kind, 'rejected');
    const request = await direct().signPart(upload, { number: 1, size: 10 }, MINUTE_MS);
    assert.equal(await statusOf(request, randomBytes(10)), 404);
    await assertMissing(getStore(), upload.key);
  });

  it('can abort repeatedly, after completion, and an unknown upload', async () => {
    const { upload, parts } = await putParts(direct(), 'ended', [10]);
    await direct().completeMultipart(upload, parts);
    await direct().abortMultipart(upload);
    await direct().abortMultipart(upload);
    assert.equal((await getStore().find(upload.key))?.size, 10);
    await direct().abortMultipart({ ...upload, key: 'test/direct/parts/never' });
  });
}

function directOf(store: ObjectStore): DirectTransfers {
  assert.ok(store.direct !== undefined);
  return store.direct;
}

async function beginUpload(direct: DirectTransfers, name: string): Promise<MultipartUpload> {
  const key = `test/direct/parts/${name}`;
  return { key, id: await direct.beginMultipart(key) };
}

async function putParts(direct: DirectTransfers, name: string, sizes: readonly number[]) {
  const upload = await beginUpload(direct, name);
  const chunks = sizes.map((size) => randomBytes(size));
  return { upload, chunks, parts: await putAll(direct, upload, chunks) };
}

async function putAll(
  direct: DirectTransfers,
  upload: MultipartUpload,
  chunks: readonly Buffer[],
): Promise<RecordedPart[]> {
  const parts: RecordedPart[] = [];
  for (const chunk of chunks) {
    const number = parts.length + 1;
    const request = await direct.signPart(upload, { number, size: chunk.length }, MINUTE_MS);
    const answer = await put(request, chunk);
    assert.equal(answer.status, 200);
    parts.push({ number, etag: answer.headers.get('etag') ?? '' });
  }
  return parts;
}

async function statusOf(request: SignedRequest, bytes: Buffer): Promise<number> {
  return (await put(request, bytes)).status;
}

async function put({ url, method, headers }: SignedRequest, bytes: Buffer): Promise<Response> {
  const answer = await fetch(url, { method, headers, body: new Uint8Array(bytes) });
  await answer.arrayBuffer();
  return answer;
}
