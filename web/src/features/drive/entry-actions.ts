import type { EntryRecord } from '../../api/contract.ts';
import { isZip } from '../entries/entry-kind.ts';
import type { Chosen } from '../entries/entry-source.ts';

/** What can be done with entries. */
export type EntryAction =
  | ('open' | 'reveal' | 'download' | 'share' | 'rename' | 'move' | 'copy')
  | ('compress' | 'extract' | 'details' | 'recycle');

/** What can be done with just these, in the groups of a menu. `reveal` is for lists in which they do not lie by themselves. */
export function actionsFor(
  { only, count }: Pick<Chosen<EntryRecord>, 'only' | 'count'>,
  canReveal: boolean,
): readonly (readonly EntryAction[])[] {
  if (count === 0) return [];
  if (only === undefined) return [['download'], ['move', 'copy'], ['compress'], ['recycle']];
  return [
    canReveal ? ['open', 'reveal'] : ['open'],
    ['download', 'share'],
    ['rename', 'move', 'copy'],
    isZip(only) ? ['compress', 'extract'] : ['compress'],
    ['details'],
    ['recycle'],
  ];
}

/** The keys that do the same, where there are any. */
export const ACTION_KEYS: Partial<Record<EntryAction, string>> = {
  open: 'Enter',
  rename: 'F2',
  recycle: 'Del',
};
