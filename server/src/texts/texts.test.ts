// tier: default
// Hostile files end within the limits, and processes are reused and replaced.
import assert from 'node:assert/strict';
import { ChildProcess } from 'node:child_process';
import { Readable } from 'node:stream';
import { after, describe, mock, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { makeOpenDocument } from '../../test/support/documents/more-office-files.ts';
import { makeDocx, paragraph, part } from '../../test/support/documents/office-files.ts';
import { streamOf } from '../../test/support/documents/pdf-files.ts';
import { makeUnicodePdf, writePdf } from '../../test/support/documents/unicode-pdf.ts';
import { MAX_BLOCK_MS, measureBlock } from '../../test/support/stalls/longest-block.ts';
import { forgeZip } from '../../test/support/zip/zip-forge.ts';
import { Failure } from '../base/failure.ts';
import { type Extraction, MAX_FILE_BYTES, MAX_TEXT_BYTES, TextExtraction } from './texts.ts';

const KIB = 1_024;
const MIB = KIB ** 2;
const never = new AbortController().signal;

const texts = new TextExtraction();
after(() => texts.close());

function open(bytes: Uint8Array): () => Promise<Readable> {
  return async () => Readable.from(piecesOf(bytes));
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 64 * KIB) yield bytes.subarray(at, at + 64 * KIB);
}

function extract(name: string, content: string | Uint8Array, by = texts): Promise<Extraction> {
  const bytes = Buffer.from(content);
  return by.extract(open(bytes), { name, size: bytes.length }, never);
}

async function assertReason(extracting: Promise<Extraction>, reason: string): Promise<void> {
  const found = await extracting;
  assert.equal('reason' in found ? found.reason : found.text.slice(0, 100), reason);
}

/** A small PDF whose last page inflates to many operators, which draw nothing. */
function inflatingPdf(mebibytes: number, firstLine?: string): Buffer {
  const packed = deflateSync(Buffer.alloc(mebibytes * MIB, 'q Q '), { level: 1 }).toString('latin1');
  const kids = firstLine === undefined ? '3 0 R' : '5 0 R 3 0 R';
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${kids.split(' R').length - 1} /Kids [${kids}] /MediaBox [0 0 99 99] >>`,
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
    streamOf(packed, '/Filter /FlateDecode'),
    '<< /Type /Page /Parent 2 0 R /Contents 6 0 R /Resources << /Font << /F 7 0 R >> >> >>',
    streamOf(`BT /F 12 Tf 9 9 Td (${firstLine}) Tj ET`),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
}

function docxWith(xml: string | Uint8Array): Uint8Array {
  const [main] = [part('word/document.xml', xml)];
  return makeDocx('', [], [main]);
}

describe('a file', () => {
  test('of a known type has a text, and one of another type is not read to its end', async () => {
    assert.deepEqual(await extract('a.txt', 'Größe'), { text: 'Größe' });
    assert.deepEqual(await extract('a.docx', makeDocx(paragraph('a'))), { text: 'a' });
    assert.deepEqual(await extract('empty', ''), { text: '' });
    let read = 0;
    const photo = async () =>
      Readable.from(
        (function* () {
          for (; read < 100; read += 1) yield Buffer.from([0xff, 0xd8, 0xff, ...Buffer.alloc(64 * KIB)]);
        })(),
        { highWaterMark: 1 },
      );
    await assertReason(texts.extract(photo, { name: 'a.jpg', size: 100 * 64 * KIB }, never), 'unknown-type');
    assert.ok(read < 10, `${read} chunks were read`);
  });

  test('over 64 MiB has no text, and is not opened', async () => {
    const opening = () => assert.fail('it was opened');
    const extracting = texts.extract(opening, { name: 'a.txt', size: MAX_FILE_BYTES + 1 }, never);
    await assertReason(extracting, 'over-limit');
  });

  test('with 64 MiB of plain text has the first of them', inFull, async () => {
    const bytes = Buffer.alloc(MAX_FILE_BYTES, 'words ');
    const found = await texts.extract(open(bytes), { name: 'a.txt', size: bytes.length }, never);
    assert.ok('text' in found && found.text.length > MAX_TEXT_BYTES - 10);
  });

  test('that has other bytes than announced is a fault of its store', async () => {
    const bytes = Buffer.from('words');
    await assert.rejects(
      texts.extract(open(bytes), { name: 'a.txt', size: 9 }, never),
      /5 bytes instead of 9/,
    );
    await assert.rejects(texts.extract(open(bytes), { name: 'a.txt', size: 2 }, never), /more than 2 bytes/);
    const broken = async () =>
      Readable.from(
        (async function* () {
          yield Buffer.alloc(5_000, 'a');
          throw new Error('the store is gone');
        })(),
      );
    await assert.rejects(texts.extract(broken, { name: 'a.txt', size: 9_000 }, never), /the store is gone/);
    assert.deepEqual(await extract('a.txt', 'a'), { text: 'a' });
  });
});

describe('a hostile file', () => {
  const bomb = Buffer.alloc(65 * MIB, '<w:p/>');
  const header = '<w:document xmlns:w="w"><w:body>';
  for (const [what, name, make, reason] of [
    ['XML that inflates a thousandfold', 'a.docx', () => docxWith(Buffer.alloc(20 * MIB, ' ')), 'over-limit'],
    ['deep XML', 'a.docx', () => docxWith(header + '<a>'.repeat(100_000)), 'over-limit'],
    [
      'entities that multiply',
      'a.docx',
      () => docxWith(`<!DOCTYPE a [<!ENTITY b "bb">]><a>&b;</a>`),
      'damaged',
    ],
    ['a nested archive', 'a.zip', () => forgeZip([{ name: 'a.zip', content: forgeZip([]) }]), 'unknown-type'],
    ['a deep page', 'a.html', () => '<div>'.repeat(1_000_000), 'over-limit'],
    [
      'many entries',
      'a.docx',
      () => forgeZip(Array.from({ length: 20_001 }, (_, at) => ({ name: `${at}` }))),
      'over-limit',
    ],
  ] as const) {
    test(`with ${what} has no text`, async () => {
      await assertReason(extract(name, make()), reason);
    });
  }

  test('that declares billions of pages has the text of its pages', async () => {
    const file = makeUnicodePdf({ pages: [['a'], ['b']], declaredPages: 2_000_000_000 });
    assert.deepEqual(await extract('a.pdf', file), { text: 'a\nb' });
  });

  test('with more than 64 MiB of XML has no text', inFull, async () => {
    const noise = Buffer.alloc(MIB);
    for (let at = 0; at < noise.length; at += 4) noise.writeUInt32LE((at * 2_654_435_761) % 2 ** 32, at);
    const padding = part('word/media/noise.bin', noise);
    const xml = Buffer.concat([Buffer.from(header), bomb]);
    await assertReason(
      extract('a.docx', makeDocx('', [], [part('word/document.xml', xml), padding])),
      'over-limit',
    );
  });

  test('ends at the limit of processor time, and another process continues', async () => {
    const hasty = new TextExtraction({ processorMs: 1_000 });
    after(() => hasty.close());
    assert.deepEqual(await extract('a.txt', 'a', hasty), { text: 'a' });
    const [first] = hasty.processIds;
    await assertReason(extract('a.pdf', inflatingPdf(64), hasty), 'over-limit');
    assert.deepEqual(hasty.processIds, []);
    assert.deepEqual(await extract('a.txt', 'a', hasty), { text: 'a' });
    assert.notEqual(hasty.processIds[0], first);
  });

  test('that takes too long on a page has the text of the pages before', async () => {
    const hasty = new TextExtraction({ processorMs: 1_000 });
    after(() => hasty.close());
    assert.deepEqual(await extract('a.pdf', inflatingPdf(64, 'first'), hasty), { text: 'first' });
    assert.deepEqual(hasty.processIds, []);
  });

  test('that inflates to half a gigabyte in a PDF has no text', inFull, async () => {
    await assertReason(extract('a.pdf', inflatingPdf(512)), 'over-limit');
  });

  test('does not hold the event loop of the service', inFull, async () => {
    const long = Buffer.alloc(MAX_FILE_BYTES, 'Größe ');
    const pdf = makeUnicodePdf({ pages: Array.from({ length: 200 }, () => ['words '.repeat(50)]) });
    for (const [name, file] of [
      ['a.txt', long],
      ['a.html', long],
      ['a.pdf', pdf],
      ['a.docx', docxWith(`${header}${paragraph('Größe 会议 '.repeat(200_000))}</w:body></w:document>`)],
    ] as const) {
      const facts = { name, size: file.length };
      const block = await measureBlock(() => texts.extract(open(file), facts, never));
      assert.ok(block <= MAX_BLOCK_MS, `${name} blocked for ${block} ms`);
    }
  });
});

describe('a process', () => {
  test('takes the text from many files, one after another', async () => {
    const own = new TextExtraction();
    after(() => own.close());
    await extract('a.txt', 'a', own);
    const first = own.processIds;
    for (let count = 0; count < 20; count += 1) {
      const body = `<text:p>${count}</text:p>`;
      assert.deepEqual(await extract('a.odt', makeOpenDocument('text', body), own), { text: `${count}` });
    }
    assert.deepEqual(own.processIds, first);
  });

  test('that is killed is replaced, and the file can be tried again', async () => {
    const own = new TextExtraction();
    after(() => own.close());
    const extracting = extract('a.pdf', inflatingPdf(64), own);
    await waitUntil('a process has started', () => own.processIds.length === 1);
    process.kill(own.processIds[0] ?? 0, 'SIGKILL');
    await assertReason(extracting, 'try-again');
    assert.deepEqual(await extract('a.txt', 'a', own), { text: 'a' });
  });

  test('that crashes after other files is replaced, and the file is tried once more', async () => {
    const own = new TextExtraction();
    after(() => own.close());
    await extract('a.txt', 'a', own);
    const [first = 0] = own.processIds;
    let opened = 0;
    const crashing = async () => {
      opened += 1;
      const crash = opened === 1 ? [first] : [];
      return Readable.from(
        (function* () {
          yield Buffer.from('wor');
          for (const id of crash) process.kill(id, 'SIGSEGV');
          yield Buffer.from('ds');
        })(),
        { highWaterMark: 1 },
      );
    };
    assert.deepEqual(await own.extract(crashing, { name: 'a.txt', size: 5 }, never), { text: 'words' });
    assert.equal(opened, 2);
    assert.ok(!own.processIds.includes(first));
  });

  test('that is ended because the service stops is no fault of the file', async () => {
    const own = new TextExtraction();
    const extracting = extract('a.pdf', inflatingPdf(64), own);
    await waitUntil('a process has started', () => own.processIds.length === 1);
    await own.close();
    await assertReason(extracting, 'try-again');
  });

  test('ends when its caller leaves', async () => {
    const own = new TextExtraction();
    after(() => own.close());
    const leaving = new AbortController();
    const bytes = inflatingPdf(64);
    const extracting = own.extract(open(bytes), { name: 'a.pdf', size: bytes.length }, leaving.signal);
    const left = assert.rejects(extracting, /gone/);
    await waitUntil('a process has started', () => own.processIds.length === 1);
    leaving.abort(new Error('gone'));
    await left;
    assert.deepEqual(own.processIds, []);
    await assert.rejects(own.extract(open(bytes), { name: 'a', size: 1 }, leaving.signal), /gone/);
  });

  test('that does not get the file in time is replaced, and its store counts as unavailable', async () => {
    const hasty = new TextExtraction({ readingMs: 50 });
    after(() => hasty.close());
    for (const start of ['', 'a'.repeat(5_000)]) {
      const stalled = new Readable({ read: () => undefined });
      if (start !== '') stalled.push(start);
      await assert.rejects(
        hasty.extract(async () => stalled, { name: 'a.txt', size: 9_000 }, never),
        ({ name, cause }) =>
          name === 'SourceError' && cause instanceof Failure && cause.kind === 'unavailable',
      );
      assert.deepEqual([stalled.destroyed, hasty.processIds], [true, []]);
    }
  });

  test('that cannot be started is no fault of the file', async () => {
    const own = new TextExtraction();
    // Fails as Node does: without pipes, and with an event.
    const spawning = mock.method(
      ChildProcess.prototype as unknown as { spawn(): number },
      'spawn',
      function (this: ChildProcess) {
        const error = Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' });
        process.nextTick(() => this.emit('error', error));
        return -24;
      },
    );
    await assertReason(extract('a.txt', 'a', own), 'try-again');
    spawning.mock.restore();
    await own.close();
    await assertReason(extract('a.txt', 'a', own), 'try-again');
    assert.deepEqual(own.processIds, []);
  });
});
