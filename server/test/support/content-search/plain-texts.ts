import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Extraction, SourceError, type TextExtraction } from '../../../src/texts/texts.ts';
import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';
import { find } from '../drive/search.ts';

/** Takes all files as plain text, without a child process. */
export class PlainTexts implements Pick<TextExtraction, 'extract' | 'close'> {
  /** The names of the files, in the order in which they were taken. */
  readonly taken: string[] = [];
  /** Runs first for each file, and may decide its result. */
  before: (name: string, signal: AbortSignal) => Promise<Extraction | undefined> = async () => undefined;

  async extract(
    openBytes: () => Promise<Readable>,
    { name }: { readonly name: string },
    signal: AbortSignal,
  ): Promise<Extraction> {
    this.taken.push(name);
    const given = await this.before(name, signal);
    signal.throwIfAborted();
    return given ?? { text: await text(await openBytes().catch(failReading)) };
  }

  async close(): Promise<void> {}
}

function failReading(error: unknown): never {
  throw new SourceError(error);
}

/** Takes the texts of all files that are due. */
export async function takeTexts({ app }: Holdall): Promise<void> {
  app.indexingJob.trigger();
  await app.indexingJob.settle();
}

/** The paths of the files with these words, in the order of the answer. */
export async function pathsWith(
  person: Person,
  q: string,
  more: Readonly<Record<string, string | number>> = {},
): Promise<readonly string[]> {
  const { items } = await find(person, { in: 'content', q, ...more });
  return items.map(({ path }) => path);
}

/** A snippet with brackets as marks. */
export function withBrackets(snippet: string | null | undefined): string | null | undefined {
  return snippet?.replaceAll('\ue000', '[').replaceAll('\ue001', ']') ?? snippet;
}
