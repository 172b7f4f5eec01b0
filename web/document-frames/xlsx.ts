// Shows a workbook as tables of values. Like the text document, it runs in a sandbox without an origin.
import readWorkbook from 'read-excel-file/universal';
import { MAX_COLUMNS, MAX_ROWS } from '../src/common/document-frame.ts';
import { DocumentError, runFrame } from './frame.ts';
import { closePackage, isXml, openPackage, type Package } from './open-package.ts';
import { isOpenWorkbook, readOpenWorkbook } from './open-workbook.ts';
import { renderWorkbook, type Sheet, toLetters } from './render-workbook.ts';
import { toExcelParts } from './workbook-parts.ts';

runFrame(async (order) => {
  // A workbook can name its parts freely. Parts without an XML name would bypass the limits for XML.
  const files = await openPackage(order.bytes, isXml);
  const { sheets, isCut } = isOpenWorkbook(files) ? readOpenWorkbook(files) : await readExcel(files);
  if (sheets.length === 0) throw new DocumentError('damaged');
  document.body.replaceChildren(...renderWorkbook(sheets, isCut, order));
});

async function readExcel(files: Package) {
  toExcelParts(files);
  const isCut = cutSheets(files);
  const sheets: readonly Sheet[] = await readWorkbook(await closePackage(files), { trim: false });
  return { sheets, isCut };
}

/**
 * Removes the rows and columns that are not shown. The library creates a cell for every place up to the last
 * used one, which a small file can put anywhere. Returns whether anything was removed.
 */
function cutSheets(files: Package): boolean {
  let isCut = false;
  for (const [name, file] of files) {
    if (!isXml(name)) continue;
    const text = new TextDecoder().decode(file);
    // The file name does not say whether it is a sheet, because a workbook can name its sheets freely.
    if (!text.includes('sheetData')) continue;
    const xml = new DOMParser().parseFromString(text, 'text/xml');
    if (xml.querySelector('parsererror') !== null) throw new DocumentError('damaged');
    if (!cutSheet(xml)) continue;
    isCut = true;
    files.set(name, new TextEncoder().encode(new XMLSerializer().serializeToString(xml)));
  }
  return isCut;
}

function cutSheet(xml: Document): boolean {
  let isCut = false;
  let row = 0;
  for (const element of xml.querySelectorAll('sheetData > row')) {
    row = toNumber(element.getAttribute('r')) ?? row + 1;
    if (row > MAX_ROWS) {
      element.remove();
      isCut = true;
      continue;
    }
    let column = 0;
    for (const cell of [...element.children]) {
      const name = cell.getAttribute('r') ?? toLetters(column + 1) + row;
      const [, letters, line] = /^([A-Z]{1,3})(\d{1,7})$/.exec(name) ?? [];
      column = letters === undefined ? column + 1 : toColumn(letters);
      if (letters !== undefined && column <= MAX_COLUMNS && Number(line) <= MAX_ROWS) continue;
      cell.remove();
      isCut = true;
    }
  }
  return isCut;
}

function toNumber(text: string | null): number | undefined {
  return text === null || !/^\d+$/.test(text) ? undefined : Number(text);
}

/** `A` is 1, `Z` is 26, `AA` is 27. */
function toColumn(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}
