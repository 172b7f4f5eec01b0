import path from 'node:path';
import { collectHtml } from '../html.ts';
import { NoText } from '../no-text.ts';
import type { TextCollector } from '../text-collector.ts';
import type { DocumentArchive } from './document-archive.ts';
import { resolvePart } from './relations.ts';
import { readXml } from './xml.ts';

export const CONTAINER = 'META-INF/container.xml';
const MAX_CHAPTERS = 10_000;

/** Takes the text from an EPUB: title and authors, then the chapters in reading order. */
export async function collectBook(archive: DocumentArchive, out: TextCollector): Promise<void> {
  const main = await findMain(archive);
  if (main === undefined) throw new NoText('damaged', 'The book names no package file.');
  const chapters = await readChapters(archive, main, out);
  const encrypted = new Set<string>();
  await archive.collectOptional(() => readEncrypted(archive, encrypted));
  const readable = chapters.filter((part) => !encrypted.has(part));
  if (readable.length === 0 && chapters.length > 0) throw new NoText('encrypted', 'The book is encrypted.');
  for (const part of readable)
    await archive.collectOptional(async () => collectHtml(await archive.readAll(part), out));
}

async function findMain(archive: DocumentArchive): Promise<string | undefined> {
  let main: string | undefined;
  await readXml(archive.read(CONTAINER), {
    onOpen: (name, attributes) => {
      if (name === 'rootfile') main ??= attributes.get('full-path');
    },
  });
  return main;
}

async function readChapters(
  archive: DocumentArchive,
  main: string,
  out: TextCollector,
): Promise<readonly string[]> {
  const parts = new Map<string, string>();
  const order = new Set<string>();
  let isShown = false;
  await readXml(archive.read(main), {
    hasHtmlEntities: true,
    onOpen: (name, attributes) => {
      isShown = name === 'title' || name === 'creator';
      const [id, uri, chapter] = ['id', 'href', 'idref'].map((each) => attributes.get(each));
      if (name === 'item' && id !== undefined && uri !== undefined)
        parts.set(id, resolvePart(path.posix.dirname(main), uri));
      if (name === 'itemref' && chapter !== undefined && order.size < MAX_CHAPTERS) order.add(chapter);
    },
    onText: (text) => {
      if (isShown) out.add(text);
    },
    onClose: () => {
      if (isShown) out.lineBreak();
      isShown = false;
    },
  });
  return [...order].flatMap((id) => parts.get(id) ?? []);
}

/** Adds the parts that are encrypted. Often these are only fonts. */
async function readEncrypted(archive: DocumentArchive, parts: Set<string>): Promise<void> {
  await readXml(archive.read('META-INF/encryption.xml'), {
    onOpen: (name, attributes) => {
      const uri = name === 'CipherReference' ? attributes.get('URI') : undefined;
      if (uri !== undefined) parts.add(resolvePart('', uri));
    },
  });
}
