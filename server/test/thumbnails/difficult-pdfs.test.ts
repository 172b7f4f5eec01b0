// tier: default
// PDFs that were made to take too much time or memory, or to do something else than being drawn.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { inFull } from '../../../tools/testing/tiers.ts';
import { Undecodable } from '../../src/thumbnails/decoder/decoding-children.ts';
import { PdfPages } from '../../src/thumbnails/pages/pdf-pages.ts';
import { joinObjects, linePage, makePdf, streamOf } from '../support/documents/pdf-files.ts';

/** Long, because other tests may use the processors. */
const LIMIT_MS = 120_000;

const pages = new PdfPages({ workMs: LIMIT_MS });
after(() => pages.close());

async function draw(pdf: string | Buffer, by = pages): Promise<Buffer> {
  const bytes = typeof pdf === 'string' ? Buffer.from(pdf, 'latin1') : pdf;
  return await by.take(bytes.length, async () => Readable.from([bytes]));
}

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';

/** @param page entries of the page @param more further objects, from the fifth on */
function pageOf(page: string, content: string, more: readonly string[] = []): string {
  return joinObjects([
    CATALOG,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /Contents 4 0 R ${page} >>`,
    streamOf(content),
    ...more,
  ]);
}

/** A stream in Latin-1, as in the rest of the file. */
function deflated(content: Buffer, more = ''): string {
  return streamOf(deflateSync(content).toString('latin1'), `/Filter /FlateDecode ${more}`);
}

const A4 = '/MediaBox [0 0 595 842]';
const form = (content: string, resources = '', more = '') =>
  streamOf(
    content,
    `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << ${resources} >> ${more}`,
  );

/** Each form draws the next one, as a group of its own. */
function nestedForms(count: number, more: string): string {
  const forms = Array.from({ length: count }, (_, index) =>
    form('/F Do', `/XObject << /F ${6 + index} 0 R >>`, more),
  );
  return pageOf(`${A4} /Resources << /XObject << /F 5 0 R >> >>`, '/F Do', [
    ...forms,
    form('1 0 0 rg 0 0 99 99 re f'),
  ]);
}

const image = (more: string, content = Buffer.alloc(0)) =>
  pageOf(`${A4} /Resources << /XObject << /I 5 0 R >> >>`, '595 0 0 842 0 0 cm /I Do', [
    streamOf(content.toString('latin1'), `/Type /XObject /Subtype /Image ${more}`),
  ]);

/** The head of a JPEG 2000 picture that declares as many pixels as possible. */
const HUGE_JPX = Buffer.from(
  'ff4fff51002f0000ffffffffffffffff0000000000000000ffffffffffffffff00000000000000000003070101070101070101',
  'hex',
);

/** Each is drawn, at least in part. */
const DRAWN: Readonly<Record<string, () => string | Buffer>> = {
  'a page of a thousand kilometres': () => pageOf('/MediaBox [0 0 3000000000 3000000000]', 'q Q'),
  'a page like a thread': () => pageOf('/MediaBox [0 0 1 100000]', 'q Q'),
  'a page without a size': () => pageOf('/MediaBox [0 0 0 0]', 'q Q'),
  'a page with an enormous unit': () => pageOf(`${A4} /UserUnit 1e30`, 'q Q'),
  'a form that draws itself': () =>
    pageOf(`${A4} /Resources << /XObject << /F 5 0 R >> >>`, '/F Do', [
      form('/F Do', '/XObject << /F 5 0 R >>'),
    ]),
  'three thousand open states': () => pageOf(A4, 'q '.repeat(3_000)),
  'an image with too many pixels': () =>
    image('/Width 100000 /Height 100000 /ColorSpace /DeviceGray /BitsPerComponent 1'),
  'a JPEG 2000 that declares too many pixels': () => image(`/Width 9 /Height 9 /Filter /JPXDecode`, HUGE_JPX),
  'a fax that declares too many pixels': () =>
    image(
      '/Width 60000 /Height 1 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /JBIG2Decode',
      HUGE_JPX,
    ),
  'a damaged table of objects': () => makePdf([linePage('text')]).replaceAll('00000 n', '00009 n'),
};

/** Each is rejected. */
const REJECTED: Readonly<Record<string, () => string | Buffer>> = {
  'no pages': () => joinObjects([CATALOG, '<< /Type /Pages /Count 0 /Kids [] >>']),
  'pages that contain themselves': () => joinObjects([CATALOG, '<< /Type /Pages /Count 9 /Kids [2 0 R] >>']),
  'no catalog': () => joinObjects(['<< >>']),
  'random bytes': () =>
    Buffer.concat([Buffer.from('%PDF-1.7\n'), deflateSync(Buffer.from(linePage('x').content))]),
};

describe('the first page', () => {
  for (const [name, make] of Object.entries(DRAWN))
    test(`is drawn of a PDF with ${name}`, { timeout: LIMIT_MS }, async () => {
      const { format, width = 0, height = 0 } = await sharp(await draw(make())).metadata();
      assert.equal(format, 'tiff');
      assert.equal(Math.max(width, height), 1_024);
    });

  for (const [name, make] of Object.entries(REJECTED))
    test(`is missing of a PDF with ${name}`, { timeout: LIMIT_MS }, () =>
      assert.rejects(draw(make()), Undecodable),
    );

  test('has no annotations, and no script of the file runs', async () => {
    const script = '(while (true) {})';
    const pdf = joinObjects([
      `<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS ${script} >> >>`,
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      `<< /Type /Page /Parent 2 0 R /Contents 4 0 R ${A4} /Annots [5 0 R] /AA << /O << /S /JavaScript /JS ${script} >> >> >>`,
      streamOf('q Q'),
      '<< /Type /Annot /Subtype /Stamp /Rect [0 0 595 842] /AP << /N 6 0 R >> >>',
      form('1 0 0 rg 0 0 595 842 re f'),
    ]);
    const { channels } = await sharp(await draw(pdf)).stats();
    assert.deepEqual(
      channels.map(({ min }) => min),
      [255, 255, 255, 255],
    );
  });
});

describe('a PDF that takes too long or too much memory', () => {
  const strict = new PdfPages({ processorMs: 1_500, workMs: LIMIT_MS });
  after(() => strict.close());
  const strokes = () =>
    pageOf(A4, '', []).replace(
      streamOf(''),
      deflated(Buffer.from('0 0 m 595 842 l 300 0 200 900 100 100 c S '.repeat(1_000_000))),
    );
  for (const [name, make, isFull] of [
    ['millions of lines', strokes, false],
    ['forms in forms, each a group', () => nestedForms(2_000, '/Group << /S /Transparency /I true >>'), true],
    [
      'an image of zeros',
      () =>
        image(
          '/Width 8000 /Height 9000 /ColorSpace /DeviceRGB /BitsPerComponent 16 /Filter /FlateDecode',
          deflateSync(Buffer.alloc(300_000_000)),
        ),
      true,
    ],
  ] as const)
    test(`is drawn or rejected: ${name}`, { ...(isFull ? inFull : {}), timeout: LIMIT_MS }, async () => {
      const drawn = await draw(make(), strict).catch((error) => error);
      assert.ok(drawn instanceof Buffer || drawn instanceof Undecodable, String(drawn));
      assert.ok((await draw(makePdf([linePage('the next one')]), strict)).length > 0);
    });
});
