// Reads the sheets of an OpenDocument spreadsheet. Its cells contain the text that office programs show.
import { MAX_COLUMNS, MAX_ROWS } from '../src/common/document-frame.ts';
import { countOf, NS, parsePart } from './open-document.ts';
import type { Package } from './open-package.ts';
import { type Sheet, ShownNumber } from './render-workbook.ts';

const CONTENT = 'content.xml';

export function isOpenWorkbook(files: Package): boolean {
  return files.has(CONTENT);
}

/** @throws DocumentError */
export function readOpenWorkbook(files: Package): {
  readonly sheets: readonly Sheet[];
  readonly isCut: boolean;
} {
  const xml = parsePart(files, CONTENT);
  const hidden = listHiddenStyles(xml);
  const tables = [...xml.getElementsByTagNameNS(NS.office, 'spreadsheet')]
    .flatMap(({ children }) => [...children])
    .filter(({ localName, namespaceURI }) => localName === 'table' && namespaceURI === NS.table);
  const visible = tables.filter((table) => !hidden.has(table.getAttributeNS(NS.table, 'style-name') ?? ''));
  let isCut = false;
  const sheets = (visible.length === 0 ? tables : visible).map((table) => {
    const rows = new Rows();
    for (const row of table.getElementsByTagNameNS(NS.table, 'table-row')) rows.add(row);
    isCut ||= rows.isCut;
    return { sheet: table.getAttributeNS(NS.table, 'name') ?? '', data: rows.data };
  });
  return { sheets, isCut };
}

function listHiddenStyles(xml: Document): ReadonlySet<string> {
  const hidden = new Set<string>();
  for (const properties of xml.getElementsByTagNameNS(NS.style, 'table-properties')) {
    if (properties.getAttributeNS(NS.table, 'display') !== 'false') continue;
    hidden.add(properties.parentElement?.getAttributeNS(NS.style, 'name') ?? '');
  }
  return hidden;
}

type Row = Sheet['data'][number];

/** Collects rows within the limits. Empty rows and cells at the end, which are often repeated, do not count. */
class Rows {
  readonly data: Row[] = [];
  isCut = false;
  #empty = 0;

  add(element: Element): void {
    const row = this.#read(element);
    const count = countOf(element, 'number-rows-repeated', MAX_ROWS);
    if (row.length === 0) {
      this.#empty += count;
      return;
    }
    for (let at = 0; at < this.#empty && this.data.length < MAX_ROWS; at += 1) this.data.push([]);
    this.#empty = 0;
    for (let at = 0; at < count; at += 1) {
      if (this.data.length === MAX_ROWS) {
        this.isCut = true;
        return;
      }
      this.data.push(row);
    }
  }

  #read(element: Element): Row {
    const row: Row[number][] = [];
    let empty = 0;
    for (const cell of element.children) {
      const count = countOf(cell, 'number-columns-repeated', MAX_COLUMNS);
      const value = toValue(cell);
      if (value === null) {
        empty += count;
        continue;
      }
      for (let at = 0; at < empty && row.length < MAX_COLUMNS; at += 1) row.push(null);
      empty = 0;
      for (let at = 0; at < count; at += 1) {
        if (row.length === MAX_COLUMNS) {
          this.isCut = true;
          return row;
        }
        row.push(value);
      }
    }
    return row;
  }
}

function toValue(cell: Element): string | ShownNumber | null {
  const lines = [...cell.children].filter(
    ({ localName, namespaceURI }) => localName === 'p' && namespaceURI === NS.text,
  );
  const text = lines.map(({ textContent }) => textContent).join('\n');
  if (text === '') return null;
  const type = cell.getAttributeNS(NS.office, 'value-type') ?? '';
  return ['float', 'percentage', 'currency'].includes(type) ? new ShownNumber(text) : text;
}
