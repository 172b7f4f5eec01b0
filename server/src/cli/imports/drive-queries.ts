import type { Db } from '../../database/database.ts';

/** A live shared drive. */
export interface NamedDrive {
  readonly id: number;
  readonly name: string;
}

/** How many drives with one name are found. */
const MAX_EQUAL_NAMES = 10;

export async function findSharedDrive(db: Db, id: number): Promise<NamedDrive | undefined> {
  return selectSharedDrives(db).where('id', '=', id).executeTakeFirst();
}

/** Live shared drives with exactly this name, the oldest first. */
export async function findSharedDrivesNamed(db: Db, name: string): Promise<readonly NamedDrive[]> {
  return selectSharedDrives(db).where('name', '=', name).orderBy('id').limit(MAX_EQUAL_NAMES).execute();
}

function selectSharedDrives(db: Db) {
  return (
    db
      .selectFrom('drive')
      .select(['id', 'name'])
      .where('kind', '=', 'SHARED')
      .where('deleted_at', 'is', null)
      // The schema gives every shared drive a name.
      .$narrowType<{ name: string }>()
  );
}
