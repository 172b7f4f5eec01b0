import { CONTAINER, collectBook } from '../documents/book.ts';
import { DocumentArchive } from '../documents/document-archive.ts';
import { collectOpenDocument } from '../documents/open-document.ts';
import { collectPresentation } from '../documents/presentation.ts';
import { readRelations, targetsOf } from '../documents/relations.ts';
import { collectSpreadsheet } from '../documents/spreadsheet.ts';
import { collectWord } from '../documents/word.ts';
import { readXml } from '../documents/xml.ts';
import { NoText } from '../no-text.ts';
import type { TextCollector } from '../text-collector.ts';

type CollectOffice = (archive: DocumentArchive, main: string, out: TextCollector) => Promise<void>;

/** By a part of the media type. Files with macros and templates have similar types. */
const OFFICE: readonly (readonly [RegExp, CollectOffice])[] = [
  [/wordprocessingml|ms-word\./, collectWord],
  [/spreadsheetml|ms-excel\.(?!.*binary)/, collectSpreadsheet],
  [/presentationml|ms-powerpoint\./, collectPresentation],
];

const OPEN_DOCUMENT = /^application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation)\b/;

/** Takes the text from a document that is a ZIP archive. Archives in it are not opened. */
export async function extractArchive(bytes: Buffer, out: TextCollector): Promise<void> {
  const archive = await DocumentArchive.open(bytes);
  await collectDocument(archive, out);
  if (archive.damage !== undefined && out.isEmpty) throw archive.damage;
}

async function collectDocument(archive: DocumentArchive, out: TextCollector): Promise<void> {
  const type = (await archive.readAll('mimetype')).toString('latin1', 0, 200).trim();
  if (OPEN_DOCUMENT.test(type)) return await collectOpenDocument(archive, type, out);
  if (type === 'application/epub+zip' || archive.has(CONTAINER)) return await collectBook(archive, out);
  const [main] = targetsOf(await readRelations(archive, ''), 'officeDocument');
  if (main === undefined) throw new NoText('unknown-type', 'The archive is not a document.');
  const mainType = await findPartType(archive, main);
  const [, collect] = OFFICE.find(([pattern]) => pattern.test(mainType)) ?? [];
  if (collect === undefined) throw new NoText('unknown-type', 'The document has no known type.');
  await collect(archive, main, out);
}

async function findPartType(archive: DocumentArchive, part: string): Promise<string> {
  const name = `/${part}`.toLowerCase();
  const extension = name.slice(name.lastIndexOf('.') + 1);
  let [own, general] = ['', ''];
  await readXml(archive.read('[Content_Types].xml'), {
    onOpen: (element, attributes) => {
      const type = attributes.get('ContentType')?.toLowerCase() ?? '';
      if (element === 'Override' && attributes.get('PartName')?.toLowerCase() === name) own = type;
      if (element === 'Default' && attributes.get('Extension')?.toLowerCase() === extension) general = type;
    },
  });
  return own || general;
}
