import type { Tx } from '../../database/database.ts';
import type { Entry } from '../../drive/drive.ts';
import { DavError } from '../dav-error.ts';
import { keyOf } from '../xml/names.ts';
import {
  type DeadProperty,
  findDeadProperties,
  MAX_BYTES_OF_DRIVE,
  replaceDeadProperties,
  sumDeadBytes,
  sumDeadBytesOf,
} from './queries.ts';

/** The maximum size of all properties that clients store with one entry. */
export const MAX_BYTES_OF_ENTRY = 64 * 1_024;

export function bytesOf({ name, value }: DeadProperty): number {
  return Buffer.byteLength(keyOf(name)) + Buffer.byteLength(value);
}

export function sumBytes(properties: readonly (DeadProperty | undefined)[]): number {
  return properties.reduce((sum, property) => sum + (property === undefined ? 0 : bytesOf(property)), 0);
}

/**
 * Whether clients have stored properties with the source or, if `isDeep`, with anything below it.
 * @param copy.driveId the drive of the copy
 * @throws DavError 507 if that drive has no room for a copy of them
 */
export async function checkRoomForProperties(
  tx: Tx,
  copy: { readonly source: Entry; readonly driveId: number; readonly isDeep: boolean },
): Promise<boolean> {
  const { source, driveId, isDeep } = copy;
  // Few drives have properties, so few trees are walked.
  if ((await sumDeadBytes(tx, source.driveId)) === 0) return false;
  const addedBytes = await sumDeadBytesOf(tx, source.id, isDeep);
  if (addedBytes > 0) await checkPropertiesFit(tx, driveId, addedBytes);
  return addedBytes > 0;
}

/** @throws DavError 507 if the stored properties of a drive, and more of this size, are too many */
export async function checkPropertiesFit(tx: Tx, driveId: number, addedBytes = 0): Promise<void> {
  if ((await sumDeadBytes(tx, driveId)) + addedBytes <= MAX_BYTES_OF_DRIVE) return;
  throw new DavError(507, 'The drive has no room for more properties.');
}

/**
 * Gives the target the properties of the source (RFC 4918, section 9.8.2). The target keeps its own
 * properties with other names. If that would be too many, it only gets those of the source.
 * @throws DavError 507 as {@link checkRoomForProperties}
 */
export async function mergeDeadProperties(tx: Tx, source: Entry, target: Entry): Promise<void> {
  const { driveId } = target;
  if (!(await checkRoomForProperties(tx, { source, driveId, isDeep: false }))) return;
  const stored = await findDeadProperties(tx, [source.id, target.id]);
  const added = stored.get(source.id) ?? [];
  const merged = new Map(
    [...(stored.get(target.id) ?? []), ...added].map((property) => [keyOf(property.name), property]),
  );
  const all = [...merged.values()];
  await replaceDeadProperties(tx, target, sumBytes(all) > MAX_BYTES_OF_ENTRY ? added : all);
}
