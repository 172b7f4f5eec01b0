import { useMemo } from 'react';
import { useHighlight } from '../../ui/use-highlight.ts';
import { findMatches } from './matches.ts';

/** Highlights the search text in the names of a list. @param root null while there is no list */
export function useMarks(root: HTMLElement | null, text: string): void {
  const find = useMemo(() => {
    if (text === '') return undefined;
    return () => (node: Text) => {
      const name = node.data;
      // Highlights only names, because location and time are not searched.
      if (node.parentElement?.title !== name) return [];
      return [findMatches(name, text).map(({ at, length }) => ({ start: at, end: at + length }))];
    };
  }, [text]);
  useHighlight({ root, name: 'sought', find });
}
