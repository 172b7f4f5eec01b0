import {
  type Hit,
  HitFinder,
  isEnough,
  type TextQuery,
  toTextQuery,
} from '../../../../server/src/content-search/analysis/text-hits.ts';
import { readTokens } from '../../../../server/src/content-search/analysis/tokens.ts';

/** Beyond this many hits, only rare words are still marked. */
export const MANY_HITS = 1_000;
/** So many hits of a word are marked anyway. */
const RARE = 20;

/** What a search text looks for. Undefined if that is nothing. */
export function readQuery(text: string): TextQuery | undefined {
  const query = toTextQuery(text);
  return query.words.length + query.runs.length === 0 ? undefined : query;
}

/** A search of several texts, token by token. */
export function startSearch(query: TextQuery): (text: string) => Generator<readonly Hit[]> {
  const counts = new Map([...query.words, ...query.runs].map((needle) => [needle, 0]));
  let total = 0;
  const isWanted = ({ needle }: Hit) => {
    const count = (counts.get(needle) ?? 0) + 1;
    counts.set(needle, count);
    total += 1;
    return total <= MANY_HITS || count <= RARE;
  };
  return function* (text) {
    const finder = new HitFinder(text, query);
    for (const token of readTokens(text)) {
      const isDone = total >= MANY_HITS && Array.from(counts.values()).every((count) => count >= RARE);
      if (isDone) return;
      const hits = finder.find(token);
      yield hits.length === 0 ? hits : hits.filter(isWanted);
    }
  };
}

/** Searches the text nodes of an element, each search from its beginning. */
export function toFinder(query: TextQuery): () => (node: Text) => Generator<readonly Hit[]> {
  return () => {
    const search = startSearch(query);
    return (node) => search(node.data);
  };
}

/** The hits among which the service chooses the passage that it shows. @param hits in order */
export function listFirst<H extends Hit>(hits: readonly H[]): readonly H[] {
  const end = hits.findIndex(({ start }, index) => isEnough(index, start));
  return end === -1 ? hits : hits.slice(0, end);
}
