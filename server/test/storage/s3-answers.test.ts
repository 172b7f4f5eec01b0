// tier: default
// Rare responses of a store, produced by a fake server.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import { inFull } from '../../../tools/testing/tiers.ts';
import { Failure, type FailureKind } from '../../src/base/failure.ts';
import { send } from '../support/storage/byte-sources.ts';
import { errorBody, FakeS3, xml } from '../support/storage/fake-s3.ts';
import { claimNothing, failureOf, MIB } from '../support/storage/store-assertions.ts';

const LARGE = randomBytes(9 * MIB);

describe('responses of an S3 store', () => {
  let fake: FakeS3;
  beforeEach(async () => {
    fake = await FakeS3.start();
  });
  afterEach(() => fake.close());

  describe('to a download', () => {
    for (const range of [undefined, { start: 0, end: 999 }]) {
      const what = range === undefined ? 'whole object' : 'range';
      it(`fail the stream when a ${what} is interrupted`, async () => {
        fake.answer = (_request, response) => {
          const headers = { 'content-length': '1000', 'content-range': 'bytes 0-999/5000' };
          response.writeHead(range === undefined ? 200 : 206, headers);
          // Ends the connection after these bytes: a reset could overtake them.
          response.write(Buffer.alloc(500), () => response.socket?.end());
          return undefined;
        };
        const stream = await fake.store().open('key', range);
        assert.equal((await failureOf(buffer(stream))).kind, 'unavailable');
        const reading = fake.store().read('key', { start: 0, end: 999 });
        assert.equal((await failureOf(reading)).kind, 'unavailable');
      });
    }

    it('are rejected when they have another range than requested', async () => {
      for (const range of ['bytes 0-998/999', 'bytes 1-1000/5000', '']) {
        fake.answer = () => ({ status: 206, headers: { 'content-range': range }, body: 'x'.repeat(1_000) });
        await assert.rejects(fake.store().open('key', { start: 0, end: 999 }), RangeError);
      }
      fake.answer = () => ({ status: 200, body: 'x'.repeat(5_000) });
      await assert.rejects(fake.store().open('key', { start: 0, end: 999 }), RangeError);
    });

    it('release the connection when the stream is destroyed immediately', async () => {
      fake.answer = (_request, response) => {
        response.writeHead(200, { 'content-length': '100000000' }).write(Buffer.alloc(100_000));
        return undefined;
      };
      const stream = await fake.store().open('key');
      const closed = new Promise((resolve) => stream.once('close', resolve));
      stream.destroy();
      await closed;
    });
  });

  describe('to the completion of an upload', () => {
    const isComplete = ({ method, path }: { method: string; path: string }) =>
      method === 'POST' && path.includes('uploadId=');
    const write = () => fake.store().write('key', send(LARGE));

    it('are accepted without an ETag', async () => {
      const wrong = { status: 200, body: xml('CompleteMultipartUploadResult', '<ETag></ETag>') };
      let writeId: string | undefined;
      fake.answer = (request) => {
        writeId ??= request.headers['x-amz-meta-holdall-write']?.toString();
        if (!isComplete(request)) return undefined;
        fake.objects.set('/key', { size: LARGE.length, writeId });
        return wrong;
      };
      assert.equal((await write()).size, LARGE.length);
    });

    it('with status 200 and an error in the body count as errors', async () => {
      fake.answer = (request) =>
        isComplete(request) ? { status: 200, body: errorBody('InternalError') } : undefined;
      assert.equal((await failureOf(write())).kind, 'unavailable');
      assert.equal(fake.calls.filter((call) => call === 'POST /key?uploadId').length, 3);
      assert.equal(fake.calls.at(-1), 'DELETE /key?uploadId');
    });

    it('may be lost: the object is recognised although the second attempt finds no upload', async () => {
      let attempts = 0;
      let writeId: string | undefined;
      fake.answer = (request) => {
        writeId ??= request.headers['x-amz-meta-holdall-write']?.toString();
        if (!isComplete(request)) return undefined;
        attempts += 1;
        fake.objects.set('/key', { size: LARGE.length, writeId });
        return attempts === 1 ? 'nothing' : { status: 404, body: errorBody('NoSuchUpload') };
      };
      assert.equal((await write()).size, LARGE.length);
      assert.equal(attempts, 2);
    });

    it('may be lost: an older object of the same size is not mistaken for the new one', async () => {
      fake.objects.set('/key', { size: LARGE.length, writeId: 'another' });
      fake.answer = (request) =>
        isComplete(request) ? { status: 404, body: errorBody('NoSuchUpload') } : undefined;
      assert.equal((await failureOf(write())).kind, 'unavailable');
    });

    it('do not count as success when the object is missing or has another size', async () => {
      let writeId: string | undefined;
      for (const size of [LARGE.length - 1, undefined]) {
        fake.objects.clear();
        writeId = undefined;
        fake.answer = (request) => {
          writeId ??= request.headers['x-amz-meta-holdall-write']?.toString();
          if (!isComplete(request)) return undefined;
          if (size !== undefined) fake.objects.set('/key', { size, writeId });
          return { status: 200, body: xml('CompleteMultipartUploadResult', '<ETag>"x"</ETag>') };
        };
        assert.equal((await failureOf(write())).kind, 'unavailable');
      }
    });
  });

  describe('in pages', () => {
    it('list all parts of a resumable write', async () => {
      const size = 1_500 * 8 * MIB;
      const part = (number: number) =>
        `<Part><PartNumber>${number}</PartNumber><ETag>"${number}"</ETag><Size>${8 * MIB}</Size></Part>`;
      const page = (from: number, to: number) =>
        Array.from({ length: to - from + 1 }, (_, index) => part(from + index)).join('');
      fake.answer = ({ method, path }) => {
        if (method === 'HEAD') return { status: 200, headers: { 'content-length': `${size}` } };
        if (method !== 'GET') return undefined;
        const next = '<IsTruncated>true</IsTruncated><NextPartNumberMarker>1000</NextPartNumberMarker>';
        const inside = path.includes('part-number-marker=1000') ? page(1_001, 1_501) : next + page(1, 1_000);
        return { status: 200, body: xml('ListPartsResult', inside) };
      };
      const write = { key: 'key', id: 'upload', size };
      await fake.store().resumable.finish(write, { size, parts: 1_500, tailKey: null });
      const completed = fake.requests.find(({ method }) => method === 'POST')?.body.toString() ?? '';
      assert.equal(completed.match(/<PartNumber>/g)?.length, 1_500);
    });

    it('list all uploads, of which only old ones are aborted', async () => {
      const upload = (key: string, year: number) =>
        `<Upload><Key>${key}</Key><UploadId>${key}</UploadId><Initiated>${year}-01-01T00:00:00.000Z</Initiated></Upload>`;
      const markers = '<NextKeyMarker>b</NextKeyMarker><NextUploadIdMarker>b</NextUploadIdMarker>';
      fake.answer = ({ method, path }) => {
        if (method !== 'GET') return undefined;
        if (path.includes('uploadId=')) return { status: 200, body: xml('ListPartsResult', '') };
        if (!path.includes('uploads')) return { status: 200, body: xml('ListBucketResult', '') };
        const inside = path.includes('key-marker=b&')
          ? upload('c', 2020)
          : `<IsTruncated>true</IsTruncated>${markers}${upload('a', 2020)}${upload('b', 2050)}${upload('.x', 2020)}`;
        return { status: 200, body: xml('ListMultipartUploadsResult', inside) };
      };
      assert.equal(await fake.store().removeAbandonedWrites(Date.UTC(2030), claimNothing), 2);
      const aborted = fake.requests.filter(({ method }) => method === 'DELETE');
      assert.deepEqual(
        aborted.map(({ path }) => path.replace(/\?.*/, '')),
        ['/a', '/c'],
      );
    });
  });

  describe('that report an error', () => {
    const cases: readonly (readonly [number, string, FailureKind | RegExp])[] = [
      [404, 'NoSuchKey', 'not-found'],
      [503, 'SlowDown', 'unavailable'],
      [500, 'InternalError', 'unavailable'],
      [503, 'ServiceUnavailable', 'unavailable'],
      [429, 'TooManyRequests', 'unavailable'],
      [507, 'InsufficientStorage', 'unavailable'],
      [403, 'QuotaExceeded', 'unavailable'],
      [404, 'NoSuchBucket', /bucket bucket: the bucket does not exist/],
      [403, 'InvalidAccessKeyId', /access key is unknown/],
      [403, 'SignatureDoesNotMatch', /secret key/],
      [403, 'AccessDenied', /do not allow this request/],
      [403, 'RequestTimeTooSkewed', /clock/],
      [400, 'AuthorizationHeaderMalformed', /region/],
      [301, 'PermanentRedirect', /region/],
      [400, 'SomethingNew', /SomethingNew 400/],
    ];
    // The client waits longer before it tries again.
    const throttlings = ['SlowDown', 'TooManyRequests'];
    for (const [status, code, expected] of cases) {
      const options = throttlings.includes(code) ? inFull : {};
      it(`become ${expected} for ${code}, without the secret`, options, async () => {
        fake.answer = () => ({ status, body: errorBody(code) });
        const store = fake.store();
        for (const asked of [() => store.open('key'), () => store.write('key', send(Buffer.of(1)))]) {
          const error = await asked().then(
            () => assert.fail('nothing failed'),
            (reason) => reason,
          );
          assert.ok(error instanceof Error && error.cause instanceof Error);
          assert.doesNotMatch(`${error.stack}`, /the-secret-key/);
          if (expected instanceof RegExp) {
            assert.ok(!(error instanceof Failure));
            assert.match(error.message, expected);
          } else {
            assert.ok(error instanceof Failure);
            assert.equal(error.kind, expected);
            if (expected === 'unavailable') assert.ok((error.retryAfterSeconds ?? 0) > 0);
          }
        }
      });
    }

    it('give the operator a hint even if they have only a status', async () => {
      for (const [status, words] of [
        [403, /do not allow this request, or are wrong/],
        [301, /region/],
      ] as const) {
        fake.answer = () => ({ status });
        await assert.rejects(fake.store().find('key'), words);
      }
      fake.answer = () => ({ status: 404 });
      assert.equal(await fake.store().find('key'), undefined);
    });

    it('make the client try three times, not more', async () => {
      fake.answer = () => ({ status: 503, body: errorBody('SlowDown') });
      await failureOf(fake.store().find('key'));
      assert.equal(fake.requests.length, 3);
      fake.answer = () => (fake.requests.length < 6 ? { status: 503 } : undefined);
      await fake.store().write('key', send(Buffer.of(1)));
      assert.equal(fake.requests.length, 6);
    });

    it('count as failures of the store, unless they are normal answers or were aborted', async () => {
      const reports: boolean[] = [];
      const store = fake.store({ onCall: (_operation, isOk) => reports.push(isOk) });
      for (const [status, code] of [
        [404, 'NoSuchKey'],
        [412, 'PreconditionFailed'],
        [403, 'AccessDenied'],
      ] as const) {
        fake.answer = () => ({ status, body: errorBody(code) });
        await assert.rejects(store.open('key'));
      }
      assert.deepEqual(reports.splice(0), [true, true, false]);
      const leave = new AbortController();
      fake.answer = ({ path }) => {
        if (!path.includes('partNumber')) return undefined;
        leave.abort();
        return 'nothing';
      };
      await assert.rejects(store.write('key', send(LARGE), { signal: leave.signal }), { name: 'AbortError' });
      assert.ok(reports.length > 2 && reports.every(Boolean), 'the upload begins, is aborted and removed');
    });

    it('report failed removals', async () => {
      const failed = (code: string) => xml('DeleteResult', `<Error><Key>a</Key><Code>${code}</Code></Error>`);
      fake.answer = () => ({ status: 200, body: failed('InternalError') });
      assert.equal((await failureOf(fake.store().remove(['a', 'b']))).kind, 'unavailable');
      fake.answer = () => ({ status: 200, body: failed('AccessDenied') });
      await assert.rejects(fake.store().remove(['a', 'b']), /do not allow this request/);
      fake.answer = () => ({ status: 200, body: failed('NoSuchKey') });
      await fake.store().remove(['a', 'b']);
    });
  });

  describe('checksums of requests', () => {
    it('include the Content-MD5 when several objects are removed', async () => {
      await fake.store().remove(Array.from({ length: 1_001 }, (_, index) => `key/${index}`));
      assert.deepEqual(fake.calls, ['POST /?delete', 'DELETE /key/1000']);
      const [request] = fake.requests;
      assert.ok(request !== undefined);
      const md5 = createHash('md5').update(request.body).digest('base64');
      assert.equal(request.headers['content-md5'], md5);
    });

    it('include the SHA-256 of every signed body, and by default no newer checksum', async () => {
      await fake.store().write('small', send(Buffer.from('small')));
      await fake.store().write('large', send(LARGE));
      for (const { method, headers, body } of fake.requests) {
        if (method !== 'PUT') continue;
        assert.equal(headers['x-amz-content-sha256'], createHash('sha256').update(body).digest('hex'));
      }
      assert.ok(fake.requests.every(({ headers }) => !namesChecksum(Object.keys(headers))));
    });

    it('include the CRC-32 of every body if configured, except in requests that clients send', async () => {
      const store = fake.store({ checksums: 'when-supported' });
      await store.write('small', send(Buffer.from('small')));
      await store.write('large', send(LARGE));
      const puts = fake.requests.filter(({ method }) => method === 'PUT');
      assert.equal(puts.length, 3);
      for (const { headers, body } of puts) {
        const expected = Buffer.alloc(4);
        expected.writeUInt32BE(crc32(body));
        assert.equal(headers['x-amz-checksum-crc32'], expected.toString('base64'));
      }
      const begun = fake.requests.find(({ path }) => path.includes('uploads'));
      assert.equal(begun?.headers['x-amz-checksum-algorithm'], 'CRC32');
      fake.requests.length = 0;
      const id = await store.direct.beginMultipart('direct');
      assert.ok(fake.requests.every(({ headers }) => !namesChecksum(Object.keys(headers))));
      const put = await store.direct.signPut('direct', 5, 60_000);
      const part = await store.direct.signPart({ key: 'direct', id }, { number: 1, size: 5 }, 60_000);
      for (const { url, headers } of [put, part]) {
        assert.ok(!namesChecksum([...new URL(url).searchParams.keys(), ...Object.keys(headers)]));
      }
    });
  });
});

function namesChecksum(names: readonly string[]): boolean {
  return names.some((name) => /checksum|crc32|x-amz-trailer/i.test(name));
}
