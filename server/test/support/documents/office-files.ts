// Minimal office documents that programs still accept.
import { type ForgedEntry, forgeZip } from '../zip/zip-forge.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

export const DOCX_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

interface Relation {
  readonly id: string;
  /** The last segment of its type URI, such as `hyperlink`. */
  readonly type: string;
  readonly target: string;
  readonly isExternal?: boolean;
}

function relations(list: readonly Relation[]): string {
  const each = list.map(
    ({ id, type, target, isExternal }) =>
      `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`;
}

function contentTypes(parts: Readonly<Record<string, string>>): string {
  const overrides = Object.entries(parts).map(
    ([name, type]) => `<Override PartName="/${name}" ContentType="${type}+xml"/>`,
  );
  return (
    `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`
  );
}

/** A file of the archive, compressed as by office programs. */
export function part(name: string, content: string | Uint8Array): ForgedEntry {
  return { name, content, isDeflated: true };
}

function pack(files: readonly ForgedEntry[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(forgeZip(files));
}

/** A text document. @param body the elements of the body @param more other files of the archive */
export function makeDocx(
  body: string,
  links: readonly Relation[] = [],
  more: readonly ForgedEntry[] = [],
): Uint8Array<ArrayBuffer> {
  return pack([
    part('[Content_Types].xml', contentTypes({ 'word/document.xml': `${DOCX_TYPE}.main` })),
    part('_rels/.rels', relations([{ id: 'r1', type: 'officeDocument', target: 'word/document.xml' }])),
    part('word/_rels/document.xml.rels', relations(links)),
    part(
      'word/document.xml',
      `${HEAD}<w:document xmlns:w="${WORD}" xmlns:r="${OFFICE}"` +
        ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"' +
        ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"' +
        ' xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"' +
        ' xmlns:v="urn:schemas-microsoft-com:vml">' +
        `<w:body>${body}</w:body></w:document>`,
    ),
    ...more,
  ]);
}

export function paragraph(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

/** A hyperlink in the text to the relation with that id. */
export function linkTo(id: string, text: string): string {
  return `<w:p><w:hyperlink r:id="${id}"><w:r><w:t>${text}</w:t></w:r></w:hyperlink></w:p>`;
}

/** A picture in the text. @param attribute `r:embed` or `r:link` with the id of a relation */
export function picture(attribute: string): string {
  return (
    '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="952500" cy="952500"/><a:graphic><a:graphicData>' +
    `<pic:pic><pic:blipFill><a:blip ${attribute}/></pic:blipFill>` +
    '<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="952500" cy="952500"/></a:xfrm></pic:spPr></pic:pic>' +
    '</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
  );
}

/**
 * A workbook.
 * @param sheets the names of its sheets, and the rows of each as XML
 * @param ending of the names of their files
 */
export function makeXlsx(
  sheets: Readonly<Record<string, string>>,
  more: readonly ForgedEntry[] = [],
  ending = 'xml',
): Uint8Array<ArrayBuffer> {
  const names = Object.keys(sheets);
  const files = names.map((_, at) => `worksheets/sheet${at + 1}.${ending}`);
  const types = Object.fromEntries(files.map((file) => [`xl/${file}`, `${SPREADSHEET}.worksheet`]));
  return pack([
    part('[Content_Types].xml', contentTypes({ 'xl/workbook.xml': `${SPREADSHEET}.sheet.main`, ...types })),
    part('_rels/.rels', relations([{ id: 'r1', type: 'officeDocument', target: 'xl/workbook.xml' }])),
    part(
      'xl/workbook.xml',
      `${HEAD}<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets>` +
        names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at + 1}"/>`).join('') +
        '</sheets></workbook>',
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      relations([
        ...files.map((target, at) => ({ id: `s${at + 1}`, type: 'worksheet', target })),
        { id: 'styles', type: 'styles', target: 'styles.xml' },
      ]),
    ),
    // The second style is a date.
    part(
      'xl/styles.xml',
      `${HEAD}<styleSheet xmlns="${SHEET}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    ),
    ...names.map((name, at) =>
      part(
        `xl/${files[at]}`,
        `${HEAD}<worksheet xmlns="${SHEET}"><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ),
    ),
    ...more,
  ]);
}

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/**
 * A workbook as reporting tools write it: with parts outside `xl/`, absolute targets, and names in other
 * case.
 */
export function makeReport(rows: string): Uint8Array<ArrayBuffer> {
  return pack([
    part('[Content_Types].xml', contentTypes({ 'report/book.xml': `${SPREADSHEET}.sheet.main` })),
    part('_rels/.rels', relations([{ id: 'r1', type: 'officeDocument', target: '/Report/Book.xml' }])),
    part(
      'report/book.xml',
      `${HEAD}<x:workbook xmlns:x="${SHEET}" xmlns:r="${OFFICE}"><x:sheets>` +
        '<x:sheet name="Hidden" sheetId="1" state="veryHidden" r:id="s1"/>' +
        '<x:sheet name="Shown" sheetId="2" r:id="s2"/></x:sheets></x:workbook>',
    ),
    part(
      'report/_rels/book.xml.rels',
      relations([
        { id: 's1', type: 'worksheet', target: './one.xml' },
        { id: 's2', type: 'worksheet', target: '../pages\\two.xml' },
      ]),
    ),
    ...['report/one.xml', 'pages/two.xml'].map((name) =>
      part(name, `${HEAD}<worksheet xmlns="${SHEET}"><sheetData>${rows}</sheetData></worksheet>`),
    ),
  ]);
}

/** A row of texts and numbers, starting in the first column. */
export function row(number: number, values: readonly (string | number)[]): string {
  const cells = values.map((value, at) => {
    const place = `${String.fromCharCode(65 + at)}${number}`;
    if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`;
    return `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
  });
  return `<row r="${number}">${cells.join('')}</row>`;
}
