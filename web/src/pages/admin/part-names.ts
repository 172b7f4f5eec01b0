/** The parts of the administration by group, in the order of their links. The summary is in no group. */
export const PART_GROUPS = {
  people: ['users', 'invites'],
  content: ['drives', 'files', 'shares', 'folder-links'],
  server: ['policies', 'blobs', 'tasks', 'settings', 'audits'],
} as const;

type GroupName = keyof typeof PART_GROUPS;

export const GROUP_NAMES = Object.keys(PART_GROUPS) as readonly GroupName[];

const PART_NAMES = ['summary', ...GROUP_NAMES.flatMap((group) => PART_GROUPS[group])] as const;

export type PartName = (typeof PART_NAMES)[number];

/** Reads a part from the address. Without a name, it is the summary. Undefined for an unknown name. */
export function findPart(name: string | undefined): PartName | undefined {
  return PART_NAMES.find((known) => known === (name ?? 'summary'));
}
