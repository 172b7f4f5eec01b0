import path from 'node:path';
import { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { findContent, isSmall, readContent, streamContent } from '../../formats/zip/reading/content.ts';
import type { ZipArchive } from '../../formats/zip/reading/listing.ts';
import { readArchive } from '../../formats/zip/reading/reader.ts';

const LIMITS = { maxEntries: 20_000, maxRatio: 1_000 } as const;

/** More than the cover of any book takes. */
const MAX_COVER_BYTES = 32 * 1_024 ** 2;
const MAX_XML_BYTES = 4 * 1_024 ** 2;

/** The picture of the first page in OpenDocument and Office Open XML. Windows' own formats are not decoded. */
const PAGE = /^(?:thumbnails\/thumbnail\.png|docprops\/thumbnail\.(?:jpe?g|png))$/i;

const CONTAINER = 'META-INF/container.xml';

/**
 * The picture that a document in a ZIP archive contains of its first page, or the cover of a book.
 * @throws ZipFault
 */
export async function findCover(file: Buffer): Promise<Buffer | undefined> {
  const archive = await readArchive(bytesOf(file), LIMITS);
  const page = archive.entries.find(({ name }) => PAGE.test(name))?.name;
  const name = page ?? (await findCoverOfBook(archive));
  return name === undefined ? undefined : await readPart(archive, name, MAX_COVER_BYTES);
}

async function findCoverOfBook(archive: ZipArchive): Promise<string | undefined> {
  let main: string | undefined;
  await readTags(archive, CONTAINER, (name, attributes) => {
    if (name === 'rootfile') main ??= attributes['full-path'];
  });
  if (main === undefined) return undefined;
  const items: Record<string, string>[] = [];
  let coverId: string | undefined;
  await readTags(archive, main, (name, attributes) => {
    if (name === 'item') items.push(attributes);
    // EPUB 2 names the item in the metadata, EPUB 3 marks the item.
    if (name === 'meta' && attributes.name === 'cover') coverId ??= attributes.content;
  });
  const cover =
    items.find(({ properties }) => properties?.split(/\s+/).includes('cover-image')) ??
    items.find(({ id }) => id !== undefined && id === coverId);
  if (cover?.href === undefined) return undefined;
  return path.posix.join(path.posix.dirname(main), decodeURIComponent(cover.href));
}

/** Calls back for each element, with the name without its prefix. */
async function readTags(
  archive: ZipArchive,
  part: string,
  onTag: (name: string, attributes: Record<string, string>) => void,
): Promise<void> {
  const xml = await readPart(archive, part, MAX_XML_BYTES);
  const parser = new SaxesParser({ xmlns: false, position: false });
  // What is before the damage may be enough.
  parser.on('error', () => undefined);
  parser.on('opentag', ({ name, attributes }) => onTag(name.slice(name.indexOf(':') + 1), attributes));
  parser.write(xml?.toString() ?? '').close();
}

/** Undefined if there is no such part, or it is larger than allowed. */
async function readPart(archive: ZipArchive, name: string, maxBytes: number): Promise<Buffer | undefined> {
  const entry = archive.entries.find((each) => each.name === name);
  if (entry === undefined || entry.size > maxBytes) return undefined;
  const content = await findContent(archive.bytes, entry, archive.directoryOffset);
  if (isSmall(entry)) return Buffer.from(await readContent(archive.bytes, content));
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamContent(archive.bytes, content)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function bytesOf(file: Buffer) {
  const range = ({ start, end }: { readonly start: number; readonly end: number }) =>
    file.subarray(start, end + 1);
  return {
    size: file.length,
    read: async (wanted: { readonly start: number; readonly end: number }) => range(wanted),
    open: async (wanted: { readonly start: number; readonly end: number }) =>
      Readable.from([range(wanted)], { objectMode: false }),
  };
}
