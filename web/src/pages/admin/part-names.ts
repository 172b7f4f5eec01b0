/** The parts of the administration, in the order of their links. */
export const PART_NAMES = [
  'summary',
  'users',
  'invites',
  'drives',
  'files',
  'shares',
  'folder-links',
  'tasks',
  'blobs',
  'policies',
  'settings',
  'audits',
] as const;

export type PartName = (typeof PART_NAMES)[number];

/** Reads a part from the address. Without a name, it is the summary. Undefined for an unknown name. */
export function findPart(name: string | undefined): PartName | undefined {
  return PART_NAMES.find((known) => known === (name ?? 'summary'));
}
