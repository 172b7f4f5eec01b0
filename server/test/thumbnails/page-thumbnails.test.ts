// tier: default
// runs on: sqlite
// The thumbnails of PDFs, through HTTP.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { PdfPages } from '../../src/thumbnails/thumbnails.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { ENCRYPTED, linePage, makePdf } from '../support/documents/pdf-files.ts';
import { MAX_BLOCK_MS, measureBlock } from '../support/stalls/longest-block.ts';

const DOCUMENTS = path.join(import.meta.dirname, '..', 'fixtures', 'documents');

const holdall = await startHoldall();
const alice = await holdall.register('alice');

const pages = holdall.app.thumbnails.pages ?? assert.fail('The canvas is not installed.');

async function endProcesses(): Promise<void> {
  for (const id of pages.processIds) process.kill(id, 'SIGKILL');
  await waitUntil('the processes have ended', () => pages.processCount === 0);
}

const addressOf = ({ id }: { id: number }, size = 256) => `/api/v2/files/${id}/thumbnail?size=${size}`;

async function thumbnailOf(file: { id: number }, size = 256) {
  const response = await alice.fetch('GET', addressOf(file, size));
  assert.equal(response.status, 200);
  return sharp(await response.arrayBuffer());
}

describe('a PDF', () => {
  test('has thumbnails with its first page on white, which are drawn once for all sizes', async () => {
    const half = { content: '1 0 0 rg 0 421 595 421 re f' };
    const file = await alice.upload('/red.pdf', makePdf([half, linePage('second')]));
    assert.ok(file.thumbnailVersion);
    const picture = await thumbnailOf(file);
    const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height], [181, 256]);
    const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3).subarray(0, 3)];
    const [red = 0, green = 255, blue = 255] = at(90, 30);
    assert.ok(red > 240 && green < 20 && blue < 20, `${red} ${green} ${blue}`);
    assert.deepEqual(at(90, 220), [255, 255, 255]);
    await endProcesses();
    const large = await (await thumbnailOf(file, 1_024)).metadata();
    assert.deepEqual([large.width, large.height], [724, 1_024]);
    assert.equal(pages.processCount, 0);
  });

  test('has its thumbnail by its name if its type says nothing', async () => {
    const file = await alice.upload('/unnamed.pdf', makePdf([linePage('text')]), 'application/octet-stream');
    await thumbnailOf(file);
  });

  for (const language of ['english', 'arabic', 'chinese', 'japanese', 'german'])
    test(
      `by LibreOffice in ${language} has letters in its thumbnail`,
      language === 'english' ? {} : inFull,
      async () => {
        const bytes = await readFile(path.join(DOCUMENTS, language, 'letter.pdf'));
        const file = await alice.upload(`/${language}.pdf`, bytes);
        const { channels } = await (await thumbnailOf(file, 1_024)).stats();
        assert.ok(
          channels.every(({ min, max, mean }) => min < 60 && max === 255 && mean > 200 && mean < 254),
        );
      },
    );

  test('without embedded fonts is drawn with those of pdf.js, also in Chinese', async () => {
    const chinese = { content: 'BT /Chinese 48 Tf 72 720 Td <d6d0b9fa> Tj ET' };
    for (const [name, page] of [
      ['latin', linePage('Text in Helvetica')],
      ['han', chinese],
    ] as const) {
      const file = await alice.upload(`/${name}.pdf`, makePdf([page]));
      const { channels } = await (await thumbnailOf(file, 1_024)).stats();
      assert.ok((channels[0]?.min ?? 255) < 60, page.content);
    }
  });

  test('that is encrypted or damaged is 415, and is not tried again', async () => {
    const encrypted = await readFile(path.join(DOCUMENTS, 'english', 'encrypted.pdf'));
    for (const [name, content] of [
      ['declared', makePdf([linePage('text')], ENCRYPTED)],
      ['encrypted', encrypted],
      ['damaged', '%PDF-1.7\nand nothing else'],
      ['text', 'not a PDF'],
    ] as const) {
      const file = await alice.upload(`/${name}.pdf`, content);
      await alice.refused(415, 2415, 'GET', addressOf(file));
      await endProcesses();
      await alice.refused(415, 2415, 'GET', addressOf(file, 1_024));
      assert.equal(pages.processCount, 0, name);
    }
  });

  test('does not block the service while it is drawn', inFull, async () => {
    let number = 0;
    const draw = async () => {
      const lines = Array.from({ length: 400 }, () => linePage(`page ${number}`).content).join('\n');
      number += 1;
      await thumbnailOf(await alice.upload(`/blocking-${number}.pdf`, makePdf([{ content: lines }])));
    };
    const blockMs = await measureBlock(draw);
    assert.ok(blockMs <= MAX_BLOCK_MS, `${blockMs} ms`);
  });

  test('has no thumbnail if the canvas is not installed', () => {
    assert.equal(PdfPages.find('file:///none/package.json'), undefined);
  });
});
