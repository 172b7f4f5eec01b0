import type { TextCollector } from '../text-collector.ts';
import type { DocumentArchive } from './document-archive.ts';
import { collectParagraphs } from './paragraphs.ts';
import { readRelations, targetsOf } from './relations.ts';
import { OFFICE_PARAGRAPHS } from './word.ts';
import { readXml } from './xml.ts';

/** Takes the text from a pptx: the slides in their order, each with its diagrams and notes. */
export async function collectPresentation(
  archive: DocumentArchive,
  main: string,
  out: TextCollector,
): Promise<void> {
  const relations = await readRelations(archive, main);
  const targets = new Map(relations.map(({ id, target }) => [id, target]));
  for (const id of await readSlideIds(archive, main)) {
    const slide = targets.get(id);
    if (slide === undefined) continue;
    const collect = (part: string) => () => collectParagraphs(archive.read(part), OFFICE_PARAGRAPHS, out);
    await archive.collectOptional(collect(slide));
    await archive.collectOptional(async () => {
      const others = targetsOf(await readRelations(archive, slide), 'diagramData', 'notesSlide');
      for (const part of others) await archive.collectOptional(collect(part));
    });
  }
}

async function readSlideIds(archive: DocumentArchive, main: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  await readXml(archive.read(main), {
    onOpen: (name, attributes) => {
      const id = name === 'sldId' ? attributes.getPrefixed('id') : undefined;
      if (id !== undefined) ids.add(id);
    },
  });
  return ids;
}
