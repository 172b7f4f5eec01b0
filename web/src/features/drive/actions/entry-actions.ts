import type { EntryRecord } from '../../../../../client/src/client.ts';
import { driveOf } from '../../entries/drive-of.ts';
import { canExtract } from '../../entries/entry-kind.ts';
import type { Chosen } from '../../entries/entry-source.ts';

/** The actions on entries. */
export type EntryAction =
  | ('open' | 'reveal' | 'download' | 'share' | 'shareTogether' | 'sharePeople' | 'send')
  | ('rename' | 'move' | 'copy' | 'duplicate')
  | ('star' | 'unstar' | 'leaveOut')
  | ('compress' | 'extract' | 'extractToFolder' | 'extractWith')
  | ('details' | 'activity' | 'countSize' | 'stopCounting' | 'recycle');

interface ActionOptions {
  /** Whether the list has entries from several folders. */
  readonly canReveal: boolean;
  /** Whether the user may change the drive. */
  readonly canEdit: boolean;
  /** Whether the user may turn folders into shared drives. */
  readonly canShareWithPeople: boolean;
  /** Whether the sizes of folders are being counted. */
  readonly isCounting: boolean;
}

/** The actions that apply to these entries, in menu groups. */
export function actionsFor(
  chosen: Pick<Chosen<EntryRecord>, 'only' | 'count'>,
  options: ActionOptions,
): readonly (readonly EntryAction[])[] {
  const groups = allActionsFor(chosen, options);
  if (options.canEdit) return groups;
  // So few actions need no groups.
  return [groups.flat().filter(isForViewers)];
}

/** The actions of someone who may only look into a shared drive. A copy goes to another drive. */
const FOR_VIEWERS: readonly EntryAction[] = [
  ...(['open', 'reveal', 'download', 'send', 'copy'] as const),
  ...(['star', 'unstar', 'details', 'activity', 'countSize', 'stopCounting', 'leaveOut'] as const),
];

export function isForViewers(action: EntryAction): boolean {
  return FOR_VIEWERS.includes(action);
}

function allActionsFor(
  { only, count }: Pick<Chosen<EntryRecord>, 'only' | 'count'>,
  { canReveal, canShareWithPeople, isCounting }: ActionOptions,
): readonly (readonly EntryAction[])[] {
  if (count === 0) return [];
  const size = isCounting ? 'stopCounting' : 'countSize';
  if (only === undefined)
    return [
      ['download', 'shareTogether', 'send'],
      ['move', 'copy', 'duplicate'],
      ['star', 'compress', size],
      ['recycle'],
    ];
  return [
    canReveal ? ['open', 'reveal', 'download'] : ['open', 'download'],
    canShareWithPeople && isOwnFolder(only) ? ['share', 'sharePeople', 'send'] : ['share', 'send'],
    ['rename', 'move', 'copy', 'duplicate'],
    [
      only.starred ? 'unstar' : 'star',
      ...(canExtract(only)
        ? (['compress', 'extract', 'extractToFolder', 'extractWith'] as const)
        : (['compress'] as const)),
      'details',
      ...(hasActivity(only) ? (['activity'] as const) : []),
      ...(only.directory ? ([size, 'leaveOut'] as const) : []),
    ],
    ['recycle'],
  ];
}

/** Folders of the personal drive can become shared drives. */
function isOwnFolder(entry: EntryRecord): boolean {
  return entry.directory && driveOf(entry) === undefined;
}

function hasActivity(entry: EntryRecord): boolean {
  return entry.directory && driveOf(entry) !== undefined;
}

/** The keyboard shortcuts of the actions. */
export const ACTION_KEYS: Partial<Record<EntryAction, string>> = {
  open: 'Enter',
  rename: 'F2',
  recycle: 'Del',
  details: 'Alt+Enter',
};
