const PART_NAMES = ['profile', 'security', 'devices', 'apps'] as const;

export type PartName = (typeof PART_NAMES)[number];

/** Reads a part from the address. Without a name, it is the profile. Undefined for an unknown name. */
export function findPart(name: string | undefined): PartName | undefined {
  return name === 'profile' ? undefined : PART_NAMES.find((known) => known === (name ?? 'profile'));
}

/**
 * The part that now has what the fragment of `/profile` named when there was one page for everything. Mails
 * and bookmarks contain such addresses.
 */
export function partOfFragment(fragment: string): Exclude<PartName, 'profile'> | undefined {
  if (fragment === 'notifications') return 'devices';
  if (fragment === 'app-passwords') return 'apps';
  // The last two are results of single sign-on.
  return /^(?:password$|security$|linked=|error=)/.test(fragment) ? 'security' : undefined;
}
