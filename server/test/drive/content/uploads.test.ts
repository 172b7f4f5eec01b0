// tier: default
// runs on: sqlite, s3
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { formOf, type Person } from '../../support/app/person.ts';
import { listStoredFiles, untilStored } from '../../support/drive/stored-files.ts';
import { rawRequest, sendAndDisconnect, sendEndless, sendRaw } from '../../support/network/raw-request.ts';
import { isS3 } from '../../support/storage/test-storage.ts';

const UPLOAD = '/api/files/upload';
const QUOTA = 200_000;
const MAX_UPLOAD = 150_000;

/** For tests that do not depend on the store: on S3 they run only with `--full`. */
const fullOnS3 = isS3 ? inFull : {};

const holdall = await startHoldall();
const tight = await startHoldall({
  env: { HOLDALL_DEFAULT_QUOTA_BYTES: `${QUOTA}`, HOLDALL_DEFAULT_MAX_UPLOAD_BYTES: `${MAX_UPLOAD}` },
});
/** A user whose uploads are all rejected. */
const rejected = await holdall.register('rejected');

describe('uploading by form', () => {
  test('returns the record of the file, whose bytes can then be downloaded', async () => {
    const alice = await holdall.register('alice');
    const bytes = randomBytes(300_000);
    const { id, createdAt, updatedAt, modifiedAt, ...record } = await alice.upload('/Documents/a.bin', bytes);
    assert.deepEqual(record, {
      driveId: alice.driveId,
      filename: 'a.bin',
      path: '/Documents/a.bin',
      parentPath: '/Documents',
      size: 300_000,
      contentType: 'application/octet-stream',
      directory: false,
      starred: false,
      thumbnailVersion: null,
    });
    assert.deepEqual([updatedAt, modifiedAt], [createdAt, createdAt]);
    assert.ok((await alice.download({ id })).equals(bytes));
    assert.equal((await alice.details({ id })).sha256, createHash('sha256').update(bytes).digest('hex'));
    assert.equal(await alice.usedBytes(), 300_000);
  });

  test(
    'the path may precede or follow the file, or be in the query; the form takes precedence',
    fullOnS3,
    async () => {
      const alice = await holdall.register('alice');
      const send = (query: string, ...parts: readonly string[]) =>
        uploadForm(alice, [...parts, '--B--\r\n'].join(''), query);
      assert.equal((await send('', fieldPart('path', '/before'), filePart('1'))).path, '/before/1');
      assert.equal((await send('', filePart('2'), fieldPart('path', '/after'))).path, '/after/2');
      assert.equal((await send('?path=/query', filePart('3'))).path, '/query/3');
      assert.equal((await send('?path=/query', filePart('4'), fieldPart('path', '/form'))).path, '/form/4');
      assert.equal((await send('', filePart('5'))).path, '/5');
      assert.equal((await send('', filePart('6'), fieldPart('colour', 'blue'))).path, '/6');
    },
  );

  test('missing parents are created', fullOnS3, async () => {
    const alice = await holdall.register('alice');
    await alice.upload('/new/newer/newest.txt', 'x');
    assert.deepEqual(
      (await alice.tree('/new')).map((record) => record.path),
      ['/new/newer', '/new/newer/newest.txt'],
    );
  });

  test('an empty file is accepted', fullOnS3, async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/empty', '');
    assert.equal(file.size, 0);
    assert.equal((await alice.download(file)).length, 0);
  });

  const names: readonly [string, string][] = [
    ['ünï – 日本語 🎉.txt', 'ünï – 日本語 🎉.txt'],
    ['Cafe\u0301', 'Café'],
    ['100% %2F%2e%2e.txt', '100% %2F%2e%2e.txt'],
    [' outer blanks ', ' outer blanks '],
    ['semi;colon=1, "quoted"', 'semi;colon=1, "quoted"'],
    ["it's", "it's"],
    ['.hidden', '.hidden'],
    ['...', '...'],
    ['é'.repeat(127), 'é'.repeat(127)],
  ];
  for (const [sent, kept] of names) {
    test(`the name ${JSON.stringify(sent.slice(0, 30))} is stored in full`, fullOnS3, async () => {
      const alice = await holdall.register('alice');
      const quoted = sent.replace(/["\\]/g, '\\$&');
      assert.equal((await uploadForm(alice, `${filePart(quoted)}--B--\r\n`)).filename, kept);
      assert.ok((await alice.names()).includes(kept));
    });
  }

  const types: readonly [string, string, string][] = [
    ['photo', 'image/jpeg', 'image/jpeg'],
    ['photo.jpg', 'application/octet-stream', 'image/jpeg'],
    ['photo.jpg', '', 'image/jpeg'],
    ['photo.jpg', 'image/png', 'image/png'],
    // RFC 7578, section 4.4: the default type of a part is text/plain.
    ['unknown', '', 'text/plain'],
    ['page.html', 'Text/HTML; Charset=UTF-8; x=y', 'text/html'],
    ['notes.md', 'text/plain', 'text/markdown'],
    ['notes', 'text/plain', 'text/plain'],
    ['evil', 'text/html\u00e9', 'application/octet-stream'],
    ['evil', 'no type at all', 'application/octet-stream'],
  ];
  for (const [name, sent, kept] of types) {
    test(`${name} sent as "${sent}" is stored as ${kept}`, fullOnS3, async () => {
      const alice = await holdall.register('alice');
      const form = `${filePart(name, 'x', sent === '' ? undefined : sent)}--B--\r\n`;
      assert.equal((await uploadForm(alice, form)).contentType, kept);
    });
  }

  test('a taken name is rejected, and the existing entry does not change', fullOnS3, async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/Documents/Café', 'first');
    await alice.mkdir('/Documents/directory');
    const stored = await listStoredFiles(holdall);
    for (const name of ['Café', 'Cafe\u0301', 'directory']) {
      await assertFormRejected(alice, 409, formOf(`/Documents/${name}`, 'second'));
    }
    await assertFormRejected(alice, 409, formOf('/Documents/Café/below', 'second'));
    assert.equal((await alice.download(file)).toString(), 'first');
    assert.equal(await alice.usedBytes(), 5);
    assert.deepEqual(await listStoredFiles(holdall), stored);
  });

  test('an invalid path is rejected even after the file, and the bytes are removed', fullOnS3, async () => {
    const alice = await holdall.register('alice');
    const stored = await listStoredFiles(holdall);
    for (const path of ['/../x', '/a\\b', '/\u0001']) {
      const pathAfterFile = `${filePart('file')}${fieldPart('path', path)}--B--\r\n`;
      await assertRawFormRejected(alice, 400, 1000, pathAfterFile);
      await assertFormRejected(alice, 400, formOf(`${path}/file`, 'x'), 1000);
    }
    assert.deepEqual(await listStoredFiles(holdall), stored);
    assert.deepEqual(await alice.names(), ['Documents', 'Downloads', 'Pictures']);
  });
});

describe('malformed forms', fullOnS3, () => {
  const many = Array.from({ length: 60 }, (_, index) => fieldPart(`f${index}`, 'x')).join('');
  const forms: Readonly<Record<string, string>> = {
    'two files': `${filePart('1')}${filePart('2')}--B--\r\n`,
    'no file': `${fieldPart('path', '/')}--B--\r\n`,
    'no parts': '--B--\r\n',
    nothing: '',
    'a field in place of the file': `${fieldPart('file', 'bytes')}--B--\r\n`,
    'a file in another part': `${filePart('1').replace('name="file"', 'name="upload"')}--B--\r\n`,
    'a file without a name': `${filePart('')}--B--\r\n`,
    'another boundary': `${filePart('1')}--B--\r\n`.replaceAll('--B', '--C'),
    'no end': filePart('1'),
    'half an end': `${filePart('1')}--B`,
    'an end inside the head of the part': filePart('1').slice(0, 40),
    'an end inside the bytes': filePart('1', 'bytes').slice(0, -4),
    'too many parts': `${many}${filePart('1')}--B--\r\n`,
    'too many parts after the file': `${filePart('1')}${many}--B--\r\n`,
    'a field that is too long': `${fieldPart('path', 'x'.repeat(70_000))}${filePart('1')}--B--\r\n`,
    'a cut second file': `${filePart('1')}${filePart('2')}`.slice(0, -3),
    'a truncated file after one without a name': `${filePart('')}${filePart('2')}`.slice(0, -3),
    'no form at all': '{"file": "bytes"}',
  };
  for (const [what, form] of Object.entries(forms)) {
    test(`${what}: rejected without leaving anything`, async () => {
      const stored = await listStoredFiles(holdall);
      await assertRawFormRejected(rejected, 400, 1000, form);
      assert.deepEqual(await rejected.names(), ['Documents', 'Downloads', 'Pictures']);
      assert.equal(await rejected.usedBytes(), 0);
      assert.deepEqual(await listStoredFiles(holdall), stored);
    });
  }

  for (const contentType of ['multipart/form-data', 'multipart/form-data; boundary=', 'text/plain', '']) {
    test(`the Content-Type "${contentType}" is rejected`, async () => {
      await assertRawFormRejected(rejected, 400, 1000, `${filePart('1')}--B--\r\n`, contentType);
    });
  }

  test('JSON instead of a form is rejected', async () => {
    await rejected.refused(400, 1000, 'POST', UPLOAD, { body: { file: 'bytes' } });
    await rejected.refused(400, 1000, 'POST', UPLOAD);
  });
});

describe('quota and upload size', () => {
  test('a file that fits exactly is accepted, and after it only empty files', fullOnS3, async () => {
    const alice = await tight.register('alice');
    await alice.upload('/1', randomBytes(MAX_UPLOAD));
    await alice.upload('/2', randomBytes(QUOTA - MAX_UPLOAD));
    assert.equal(await alice.usedBytes(), QUOTA);
    await assertFormRejected(alice, 413, formOf('/3', 'x'));
    await alice.upload('/4', '');
    assert.equal(await alice.usedBytes(), QUOTA);
  });

  for (const [what, before, size] of [
    ['the upload size', 0, MAX_UPLOAD + 1],
    ['the quota', 100_000, QUOTA - 100_000 + 1],
  ] as const) {
    test(`one byte more than ${what} allows is rejected without leaving anything`, fullOnS3, async () => {
      const alice = await tight.register('alice');
      if (before > 0) await alice.upload('/before', randomBytes(before));
      const stored = await listStoredFiles(tight);
      await assertFormRejected(alice, 413, formOf('/large', randomBytes(size)));
      assert.equal(await alice.usedBytes(), before);
      assert.deepEqual(await listStoredFiles(tight), stored);
    });

    test(
      `more than ${what} is rejected by its declared length before any byte is sent`,
      fullOnS3,
      async () => {
        const alice = await tight.register('alice');
        if (before > 0) await alice.upload('/before', randomBytes(before));
        const request = rawRequest(alice, `POST ${UPLOAD}`, {
          'content-type': 'multipart/form-data; boundary=B',
          'content-length': size + 1_000_000,
        });
        const { status, code } = await sendRaw(alice, request);
        assert.deepEqual([status, code], [413, 1003]);
      },
    );

    test(`more than ${what} is rejected during the transfer`, async () => {
      const alice = await tight.register('alice');
      if (before > 0) await alice.upload('/before', randomBytes(before));
      const stored = await listStoredFiles(tight);
      const start = filePart('endless').slice(0, -'bytes\r\n'.length);
      const headers = { 'content-type': 'multipart/form-data; boundary=B' };
      const { status, code, sentBytes } = await sendEndless(alice, `POST ${UPLOAD}`, headers, start);
      assert.deepEqual([status, code], [413, 1003]);
      assert.ok(sentBytes < 20_000_000, `${sentBytes} bytes were sent`);
      assert.equal(await alice.usedBytes(), before);
      await untilStored(tight, stored.length);
    });
  }
});

describe('an interrupted connection', () => {
  test('leaves no record, no charge and no bytes, wherever it is interrupted', async () => {
    const alice = await holdall.register('alice');
    const stored = await listStoredFiles(holdall);
    const body = Buffer.from(
      `${fieldPart('path', '/new')}${filePart('cut', 'x'.repeat(300_000))}${fieldPart('z', 'z')}--B--\r\n`,
    );
    const request = Buffer.concat([
      rawRequest(alice, `POST ${UPLOAD}`, {
        'content-type': 'multipart/form-data; boundary=B',
        'content-length': body.length,
      }),
      body,
    ]);
    const start = request.length - body.length;
    const even = Array.from({ length: 24 }, (_, index) => start + Math.floor((body.length * index) / 24));
    const edges = [start, start + 1, start + 100, start + 190, start + 230];
    const last = Array.from({ length: 8 }, (_, index) => request.length - 1 - index * 9);
    for (const end of [10, start - 2, ...edges, ...even, ...last])
      await sendAndDisconnect(alice, request.subarray(0, end));
    await untilStored(holdall, stored.length);
    assert.deepEqual(await alice.names(), ['Documents', 'Downloads', 'Pictures']);
    assert.equal(await alice.usedBytes(), 0);
  });
});

function uploadForm(person: Person, form: string, query = ''): Promise<EntryRecord> {
  return person.ask('POST', `${UPLOAD}${query}`, {
    body: form,
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
  });
}

function assertFormRejected(person: Person, status: number, body: FormData, code = 1003) {
  return person.refused(status, code, 'POST', UPLOAD, { body });
}

/** Sends a form over a raw connection, so that it can be malformed. */
async function assertRawFormRejected(
  person: Person,
  status: number,
  code: number,
  form: string,
  contentType = 'multipart/form-data; boundary=B',
): Promise<void> {
  const body = Buffer.from(form);
  const head = rawRequest(person, `POST ${UPLOAD}`, {
    ...(contentType === '' ? {} : { 'content-type': contentType }),
    'content-length': body.length,
  });
  const answer = await sendRaw(person, head, body);
  assert.deepEqual([answer.status, answer.code], [status, code], answer.msg);
}

function fieldPart(name: string, value: string): string {
  return `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

function filePart(name: string, content = 'bytes', type?: string): string {
  const head = `--B\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n`;
  return `${head}${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n${content}\r\n`;
}
