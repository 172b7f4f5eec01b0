// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { streamOf } from '../../../test/support/documents/pdf-files.ts';
import { makeUnicodePdf, writePdf } from '../../../test/support/documents/unicode-pdf.ts';
import { extractText } from '../extract-text.ts';
import { toLines } from './reading-order.ts';

async function textOf(pdf: Buffer): Promise<string> {
  return String(await extractText('pdf', pdf));
}

describe('the text of a PDF', () => {
  test('has Chinese characters instead of radicals that look the same', async () => {
    assert.equal(await textOf(makeUnicodePdf({ pages: [['⽇本の会⾒']] })), '日本の会見');
  });

  test('joins words that are divided over two pages', async () => {
    const pages = [['die Donau-'], ['dampf', 'Rhine-'], ['Main', 'end-']];
    assert.equal(await textOf(makeUnicodePdf({ pages })), 'die Donaudampf\nRhine-\nMain\nend-');
  });

  test('does not join two words of which one is shortened', async () => {
    const pages = [['Vor-', 'und Nachteile', 'pre-', 'or post-', 'war unter-', 'undiert']];
    assert.equal(
      await textOf(makeUnicodePdf({ pages })),
      'Vor-\nund Nachteile\npre-\nor postwar unterundiert',
    );
  });

  test('has the values of forms and the notes of readers, but no passwords', async () => {
    const field = '/Type /Annot /Subtype /Widget /Rect [0 0 9 9]';
    const pdf = writePdf([
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R 6 0 R 7 0 R] >> >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 99 99] >>',
      '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Annots [5 0 R 6 0 R 7 0 R 8 0 R 9 0 R] >>',
      streamOf('q Q'),
      `<< ${field} /FT /Tx /T (name) /V (Mustermann) >>`,
      `<< ${field} /FT /Tx /T (secret) /Ff 8192 /V (hidden) >>`,
      `<< ${field} /FT /Btn /T (agree) /V /Yes >>`,
      '<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (a comment) /Popup 9 0 R >>',
      '<< /Type /Annot /Subtype /Popup /Rect [0 0 9 9] /Parent 8 0 R >>',
    ]);
    assert.equal(await textOf(pdf), 'a comment\nMustermann');
  });

  test('may have a very long line from right to left', () => {
    const item = { str: 'א', dir: 'rtl', transform: [1, 0, 0, 1, 0, 0], width: 1, hasEOL: false };
    assert.equal(toLines(Array.from({ length: 200_000 }, () => item)).length, 200_000);
  });

  test('has a space where the direction changes, but none in a word that was drawn in pieces', () => {
    const item = (str: string, left: number, width: number) => {
      const dir = /\p{Script=Arabic}/u.test(str) ? 'rtl' : 'ltr';
      return { str, dir, transform: [10, 0, 0, 10, left, 0], width, hasEOL: false };
    };
    const number = [item('عام', 60, 20), item('1995', 30, 26), item('زرعت', 0, 26), item('Oil', -20, 16)];
    assert.equal(toLines(number), 'عام 1995 زرعت Oil');
    const pieces = [item('أ', 30, 3), item('تقر', 33, 20), item(' ', 29.9, 0.1), item('سماء', 0, 25)];
    assert.equal(toLines(pieces), 'تقرأ سماء');
  });
});
