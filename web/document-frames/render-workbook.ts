// The tables of a workbook, with a button for each sheet.
import type { CellValue } from 'read-excel-file/universal';
import type { FrameOrder } from '../src/common/document-frame.ts';

const MAX_SHEETS = 50;

const DAY_MS = 86_400_000;
/**
 * Excel counts a nonexistent February 29, 1900 as day 60. The library ignores that, so it returns every
 * earlier date one day too early.
 */
const EXCEL_DAY_1 = Date.UTC(1900, 0, 1);
const EXCEL_DAY_60 = Date.UTC(1900, 1, 28);

/** A number as the file itself shows it. */
export class ShownNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Cell = CellValue | ShownNumber | null;

export interface Sheet {
  readonly sheet: string;
  readonly data: readonly (readonly Cell[])[];
}

export function renderWorkbook(
  all: readonly Sheet[],
  isCut: boolean,
  order: FrameOrder,
): readonly HTMLElement[] {
  const sheets = all.slice(0, MAX_SHEETS);
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
      if (typeof value === 'number' || value instanceof ShownNumber) cell.className = 'number';
    }
  }
  return table;
}

/** Formats values for a language. Shows a date without a time of day as a date only. */
function toWriter(language: string): (value: Cell) => string {
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
    if (value instanceof ShownNumber) return value.text;
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

/** `A` for column 1, `AA` for column 27. */
export function toLetters(column: number): string {
  const before = Math.floor((column - 1) / 26);
  return (before > 0 ? toLetters(before) : '') + String.fromCharCode(65 + ((column - 1) % 26));
}
