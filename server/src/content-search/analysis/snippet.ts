import { Turns } from '../../base/concurrency/turns.ts';
import { HIT_END, HIT_START } from '../../texts/texts.ts';
import { findBestHit, type Hit, HitFinder, isEnough, MAX_SPAN } from './text-hits.ts';
import type { WordQuery } from './text-query.ts';
import { readTokens } from './tokens.ts';

/** In code units, without the marks. */
export const MAX_SNIPPET_LENGTH = 200;

/** How much of the text before the first hit is shown, at most. */
const MAX_LEAD = MAX_SNIPPET_LENGTH - MAX_SPAN;

/**
 * The passage of a text in which most of the search is found, on one line, with marks around the hits. Null
 * if nothing of it is found. Lets the event loop turn meanwhile.
 * @param signal cancels it
 */
export async function makeSnippet(
  text: string,
  queries: readonly WordQuery[],
  signal?: AbortSignal,
): Promise<string | null> {
  const hits = await findHits(text, queries, signal);
  const first = findBestHit(hits);
  return first === undefined ? null : markHits(text, findPassage(text, first), hits);
}

async function findHits(
  text: string,
  queries: readonly WordQuery[],
  signal: AbortSignal | undefined,
): Promise<readonly Hit[]> {
  const finder = new HitFinder(text, {
    words: queries.flatMap((query) => query.words),
    runs: queries.flatMap((query) => query.runs),
  });
  const hits: Hit[] = [];
  const turns = new Turns();
  for (const token of readTokens(text)) {
    if (turns.isOver()) {
      await turns.next();
      signal?.throwIfAborted();
    }
    if (isEnough(hits.length, token.start)) break;
    hits.push(...finder.find(token));
  }
  return hits.toSorted((a, b) => a.start - b.start);
}

interface Passage {
  readonly start: number;
  readonly end: number;
}

/** The passage around a hit. It begins and ends between words if there are spaces nearby. */
function findPassage(text: string, hit: Hit): Passage {
  const earliest = Math.max(0, hit.start - MAX_LEAD);
  const space = earliest === 0 ? -1 : text.slice(earliest, hit.start).search(/\s/);
  const start = beforeCharacter(text, space < 0 ? earliest : earliest + space + 1);
  const latest = Math.min(text.length, start + MAX_SNIPPET_LENGTH);
  if (latest === text.length || /\s/.test(text[latest] ?? '')) return { start, end: latest };
  const rest = text.slice(Math.min(hit.end, latest), latest);
  const lastSpace = rest.search(/\s\S*$/);
  if (lastSpace >= 0) return { start, end: latest - rest.length + lastSpace };
  return { start, end: isInPair(text, latest) ? latest - 1 : latest };
}

/** Moves a position from the middle of a surrogate pair to the character after it. */
function beforeCharacter(text: string, position: number): number {
  return isInPair(text, position) ? position + 1 : position;
}

function isInPair(text: string, position: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(position - 1, position + 1));
}

function markHits(text: string, { start, end }: Passage, hits: readonly Hit[]): string {
  let marked = '';
  let position = start;
  for (const hit of hits) {
    // Runs may overlap.
    const from = Math.max(hit.start, position);
    const to = Math.min(hit.end, end);
    if (from >= to) continue;
    marked += `${text.slice(position, from)}${HIT_START}${text.slice(from, to)}${HIT_END}`;
    position = to;
  }
  return `${marked}${text.slice(position, end)}`.replaceAll(/\s/g, ' ').trim();
}
