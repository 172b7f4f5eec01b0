// Shows a workbook as tables of values. Like the text document, it runs in a sandbox without an origin.
import readWorkbook, { type CellValue } from 'read-excel-file/universal';
import { type FrameOrder, MAX_COLUMNS, MAX_ROWS } from '../src/common/document-frame.ts';
import { DocumentError, runFrame } from './frame.ts';
import { closePackage, isXml, openPackage, type Package } from './open-package.ts';
import { toExcelParts } from './workbook-parts.ts';

const MAX_SHEETS = 50;

const DAY_MS = 86_400_000;
/**
 * Excel counts a nonexistent February 29, 1900 as day 60. The library ignores that, so it returns every
 * earlier date one day too early.
 */
const EXCEL_DAY_1 = Date.UTC(1900, 0, 1);
const EXCEL_DAY_60 = Date.UTC(1900, 1, 28);

interface Sheet {
  readonly sheet: string;
  readonly data: readonly (readonly (CellValue | null)[])[];
}

runFrame(async (order) => {
  // A workbook can name its parts freely. Parts without an XML name would bypass the limits for XML.
  const files = await openPackage(order.bytes, isXml);
  toExcelParts(files);
  const isCut = cutSheets(files);
  const sheets: readonly Sheet[] = await readWorkbook(await closePackage(files), { trim: false });
  if (sheets.length === 0) throw new DocumentError('damaged');
  document.body.replaceChildren(...renderWorkbook(sheets.slice(0, MAX_SHEETS), isCut, order));
});

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

function toLetters(column: number): string {
  const before = Math.floor((column - 1) / 26);
  return (before > 0 ? toLetters(before) : '') + String.fromCharCode(65 + ((column - 1) % 26));
}

function renderWorkbook(sheets: readonly Sheet[], isCut: boolean, order: FrameOrder): readonly HTMLElement[] {
  const place = element('main');
  // Focusable, because the keyboard can scroll only focusable elements.
  place.tabIndex = 0;
  const buttons = sheets.map(({ sheet }) => element('button', sheet));
  const choose = (at: number) => {
    for (const [index, button] of buttons.entries())
      button.setAttribute('aria-pressed', String(index === at));
    place.replaceChildren(renderSheet(sheets[at]?.data ?? [], order));
    place.scrollTo(0, 0);
  };
  for (const [at, button] of buttons.entries()) button.addEventListener('click', () => choose(at));
  choose(0);
  const bar = element('nav');
  bar.setAttribute('aria-label', order.sheetsLabel);
  bar.append(...buttons);
  const notice = element('p', order.cutNotice);
  return [...(sheets.length > 1 ? [bar] : []), ...(isCut ? [notice] : []), place];
}

function renderSheet(data: Sheet['data'], order: FrameOrder): HTMLElement {
  const columns = data.reduce((most, row) => Math.max(most, row.length), 0);
  if (columns === 0) return element('p', order.emptyNotice);
  const table = element('table');
  const head = table.createTHead().insertRow();
  head.append(
    element('td'),
    ...Array.from({ length: columns }, (_, at) => heading(toLetters(at + 1), 'col')),
  );
  const body = table.createTBody();
  const write = toWriter(order.language);
  for (const [at, row] of data.entries()) {
    const line = body.insertRow();
    line.append(heading(String(at + 1), 'row'));
    for (let column = 0; column < columns; column += 1) {
      const value = row[column] ?? null;
      const cell = line.insertCell();
      cell.textContent = write(value);
      if (typeof value === 'number') cell.className = 'number';
    }
  }
  return table;
}

/** Formats values for a language. Shows a date without a time of day as a date only. */
function toWriter(language: string): (value: CellValue | null) => string {
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 10, useGrouping: false });
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const times = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'UTC' });
  return (value) => {
    if (value === null) return '';
    if (typeof value === 'number') return numbers.format(value);
    if (value instanceof Date) return writeDate(value.getTime());
    return String(value);
  };

  function writeDate(instant: number): string {
    // Serial numbers below 1 are times without a date.
    if (instant < EXCEL_DAY_1 - DAY_MS) return clock.format(instant);
    const corrected = instant < EXCEL_DAY_60 ? instant + DAY_MS : instant;
    return (corrected % DAY_MS === 0 ? days : times).format(corrected);
  }
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function heading(text: string, scope: 'col' | 'row'): HTMLTableCellElement {
  const cell = element('th', text);
  cell.scope = scope;
  return cell;
}
