// tier: default
// The pictures that documents, books and raw photos contain.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import sharp from 'sharp';
import { Undecodable } from '../../src/thumbnails/decoder/decoding-children.ts';
import { PictureDecoder } from '../../src/thumbnails/decoder/picture-decoder.ts';
import { makeOpenDocument } from '../support/documents/more-office-files.ts';
import { makeDocx, paragraph, part } from '../support/documents/office-files.ts';
import { buildExif, type ExifTag, little } from '../support/media/exif-files.ts';
import { forgeZip } from '../support/zip/zip-forge.ts';

const decoder = new PictureDecoder();
after(() => decoder.close());

async function sizeOf(file: Uint8Array, isRaw = false): Promise<readonly number[]> {
  const request = { size: 256, length: file.length, isRaw };
  const thumbnail = await decoder.decode(request, async () => Readable.from([Buffer.from(file)]));
  const { width, height } = await sharp(thumbnail).metadata();
  return [width, height];
}

async function pictureOf(width: number, height: number, format: 'png' | 'jpeg' = 'png'): Promise<Buffer> {
  const picture = sharp({ create: { width, height, channels: 3, background: '#3060c0' } });
  return await picture.toFormat(format).toBuffer();
}

/** @param item the attributes of the cover in the manifest @param meta an element of the metadata */
async function bookOf(item: string, meta = ''): Promise<Buffer> {
  const cover = await pictureOf(60, 90, 'jpeg');
  return forgeZip([
    { name: 'mimetype', content: 'application/epub+zip' },
    part('META-INF/container.xml', '<container><rootfile full-path="book/main.opf"/></container>'),
    part(
      'book/main.opf',
      `<package><metadata>${meta}</metadata><manifest><item id="one" href="one.xhtml"/>` +
        `<item ${item} href="art/the%20cover.jpg"/></manifest></package>`,
    ),
    part('book/one.xhtml', '<p>text</p>'),
    part('book/art/the cover.jpg', cover),
  ]);
}

describe('the thumbnail', () => {
  test('of an OpenDocument file is the picture of its first page', async () => {
    const more = [part('Thumbnails/thumbnail.png', await pictureOf(70, 99))];
    assert.deepEqual(await sizeOf(makeOpenDocument('text', '<text:p>text</text:p>', more)), [70, 99]);
  });

  test('of an Office Open XML file is the picture of its first page, if it is a JPEG or a PNG', async () => {
    const docxWith = (name: string, picture: Buffer) =>
      makeDocx(paragraph('text'), [], [part(`docProps/${name}`, picture)]);
    assert.deepEqual(await sizeOf(docxWith('thumbnail.jpeg', await pictureOf(40, 30, 'jpeg'))), [40, 30]);
    assert.deepEqual(await sizeOf(docxWith('thumbnail.png', await pictureOf(30, 40))), [30, 40]);
    await assert.rejects(sizeOf(docxWith('thumbnail.emf', await pictureOf(9, 9))), Undecodable);
    await assert.rejects(sizeOf(docxWith('thumbnail.wmf', await pictureOf(9, 9))), Undecodable);
  });

  test('of a book is its cover, which the manifest or the metadata names', async () => {
    assert.deepEqual(await sizeOf(await bookOf('id="x" properties="svg cover-image"')), [60, 90]);
    assert.deepEqual(await sizeOf(await bookOf('id="art"', '<meta content="art" name="cover"/>')), [60, 90]);
    await assert.rejects(sizeOf(await bookOf('id="art"')), Undecodable);
  });

  test('of a document without a picture is missing, as of one whose picture is damaged or too large', async () => {
    const documents = [
      makeDocx(paragraph('text')),
      makeDocx(paragraph('text'), [], [part('docProps/thumbnail.png', 'no picture')]),
      makeDocx(paragraph('text'), [], [part('docProps/thumbnail.png', Buffer.alloc(33 * 1_024 ** 2))]),
      forgeZip([{ name: 'a.txt', content: 'text' }]),
      Buffer.from('PK\x03\x04 and nothing else'),
    ];
    for (const document of documents) await assert.rejects(sizeOf(document), Undecodable);
  });

  test('of a book whose files refer to themselves or declare entities is missing', async () => {
    const bomb = '<!DOCTYPE a [<!ENTITY b "b"><!ENTITY c "&b;&b;&b;&b;">]><container>&c;</container>';
    const books = [
      [part('META-INF/container.xml', bomb)],
      [part('META-INF/container.xml', '<rootfile full-path="META-INF/container.xml"/>')],
      [part('META-INF/container.xml', '<a>'.repeat(100_000))],
      [part('META-INF/container.xml', '<rootfile full-path="../../etc/passwd"/>')],
    ];
    for (const parts of books) await assert.rejects(sizeOf(forgeZip(parts)), Undecodable);
  });
});

describe('the thumbnail of a raw photo', () => {
  /** A TIFF whose tags name a preview that follows. */
  async function rawOf(preview: Buffer, tagsFor: (at: number) => readonly ExifTag[]): Promise<Buffer> {
    const at = buildExif({ main: tagsFor(0) }).length;
    return Buffer.concat([buildExif({ main: tagsFor(at) }), preview]);
  }
  const long = (id: number, value: number): ExifTag => [id, 4, little(4, value), 1];
  const short = (id: number, value: number): ExifTag => [id, 3, little(2, value), 1];

  test('is its preview, turned as the photo says', async () => {
    const preview = await pictureOf(300, 200, 'jpeg');
    const raw = await rawOf(preview, (at) => [
      short(0x0112, 6),
      long(0x0201, at),
      long(0x0202, preview.length),
    ]);
    assert.deepEqual(await sizeOf(raw, true), [171, 256]);
  });

  test('is the longest preview that can be decoded', async () => {
    const [small, large] = [await pictureOf(80, 60, 'jpeg'), await pictureOf(240, 160, 'jpeg')];
    // A lossless JPEG, as the photo itself often is.
    const photo = Buffer.concat([Buffer.from('ffd8ffc3000b0e03e80001', 'hex'), Buffer.alloc(100_000)]);
    const raw = await rawOf(Buffer.concat([small, large, photo]), (at) => [
      short(259, 6),
      long(273, at),
      long(279, small.length),
      long(0x0201, at + small.length),
      long(0x0202, large.length),
      [0x002e, 7, little(4, at + small.length + large.length), photo.length],
    ]);
    assert.deepEqual(await sizeOf(raw, true), [240, 160]);
  });

  test('of Fujifilm is the JPEG that its head names', async () => {
    const preview = await pictureOf(90, 60, 'jpeg');
    const head = Buffer.alloc(160);
    head.write('FUJIFILMCCD-RAW');
    head.writeUInt32BE(head.length, 84);
    head.writeUInt32BE(preview.length, 88);
    assert.deepEqual(await sizeOf(Buffer.concat([head, preview]), true), [90, 60]);
  });

  test('is missing without a preview, or with one outside of the file', async () => {
    const outside = await rawOf(Buffer.alloc(9), () => [long(0x0201, 2 ** 31), long(0x0202, 2 ** 31)]);
    const itself = await rawOf(Buffer.alloc(9), () => [long(0x014a, 8)]);
    for (const raw of [outside, itself, Buffer.from('II*\0'), Buffer.from('text')])
      await assert.rejects(sizeOf(raw, true), Undecodable);
  });
});
