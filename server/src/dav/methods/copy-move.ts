import { Failure } from '../../base/failure.ts';
import { isAtOrBelow, type LogicalPath } from '../../base/text/names/logical-path.ts';
import type { Tx } from '../../database/database.ts';
import type { Actor, EntryWithPath, Place } from '../../drive/drive.ts';
import { checkRole } from '../../http/chosen-drive.ts';
import { isShared } from '../../shares/shares.ts';
import { DavError } from '../dav-error.ts';
import type { LockView } from '../locks/lock.ts';
import { checkTokens } from '../locks/locks.ts';
import { checkRoomForProperties, mergeDeadProperties } from '../properties/merge.ts';
import { copyDeadProperties } from '../properties/queries.ts';
import { type EntryTarget, isSharedRoot, readReference } from '../protocol/href.ts';
import type { DavAnswer, DavRequest } from '../protocol/messages.ts';
import { readDepth, readOverwrite, utf8Of } from '../protocol/request-headers.ts';
import { findResource, getMember, getPlace, type Resource } from '../resource.ts';
import { fixed } from '../shared-drives/shared-drives.ts';
import { type ChangeContext, changesManyEntries, endLocks, targetsOfRemoval } from './change-context.ts';
import { copyBetween } from './copy-between.ts';

/** COPY (RFC 4918, section 9.8). The copies refer to the same stored bytes. */
export function copyResource(context: ChangeContext, request: DavRequest): Promise<DavAnswer> {
  const depth = readDepth(request.headers) ?? 'infinity';
  // Section 9.8.3.
  if (depth === '1') throw new Failure('invalid', 'The Depth of COPY is 0 or infinity.');
  return transfer(context, request, {
    isMove: false,
    isDeep: depth === 'infinity',
    put: async (tx, source, place) => {
      const { drive } = context;
      const { entry } = source;
      const isDeep = depth === 'infinity';
      const hasProperties = await checkRoomForProperties(tx, entry, isDeep);
      const copy =
        entry.isDirectory && !isDeep
          ? await drive.placement.makeDirectory(tx, request.actor, place)
          : await drive.placement.copy(tx, request.actor, source, place);
      if (hasProperties)
        await copyDeadProperties(tx, { fromId: entry.id, toId: copy.id, driveId: copy.driveId, isDeep });
    },
  });
}

/** MOVE (RFC 4918, section 9.9). Locks do not move with the entry: they end (section 7.5). */
export function moveResource(context: ChangeContext, request: DavRequest): Promise<DavAnswer> {
  const depth = readDepth(request.headers) ?? 'infinity';
  // Section 9.9.2.
  if (depth !== 'infinity') throw new Failure('invalid', 'The Depth of MOVE is infinity.');
  return transfer(context, request, {
    isMove: true,
    isDeep: true,
    put: async (tx, source, place, view) => {
      await context.drive.placement.move(tx, request.actor, source, place);
      await endLocks(tx, context.locks, view, source.entry);
    },
  });
}

interface Transfer {
  readonly isMove: boolean;
  readonly isDeep: boolean;
  readonly put: (tx: Tx, source: EntryWithPath, place: Place, view: LockView) => Promise<void>;
}

async function transfer(context: ChangeContext, request: DavRequest, how: Transfer): Promise<DavAnswer> {
  const overwrite = readOverwrite(request.headers);
  const destination = readDestination(request);
  const { id: driveId, role } = await findDestinationDrive(context, request, destination);
  if (driveId === request.actor.driveId) {
    return await transferWithin(context, request, { ...how, overwrite, destination: destination.path });
  }
  checkRole(role, 'EDITOR');
  const { isMove, isDeep } = how;
  const target = { ...destination, driveId };
  const { isReplaced } = await copyBetween({ request, target, isMove, isDeep, overwrite });
  return { status: isReplaced ? 204 : 201 };
}

/** COPY or MOVE within one drive. */
function transferWithin(
  context: ChangeContext,
  request: DavRequest,
  how: Transfer & { readonly destination: LogicalPath; readonly overwrite: boolean },
): Promise<DavAnswer> {
  const { drives, drive, preconditions, locks } = context;
  const { actor } = request;
  const { isMove, destination, overwrite } = how;
  checkApart(request.path, destination);
  const find = async (tx: Tx) => ({
    source: await findResource(tx, drive, actor.driveId, request.path),
    target: await findResource(tx, drive, actor.driveId, destination),
  });
  const work = async (tx: Tx) => {
    const { source, target } = await find(tx);
    const member = getMember(source);
    const place = getPlace(target);
    const { view, tokens } = await preconditions.check(tx, request, source);
    const targets = [
      // As with PUT, new content for an existing file does not change its directory.
      ...(isFile(source) && isFile(target) ? [target] : targetsOfRemoval(target, view)),
      ...(isMove ? targetsOfRemoval(source, view) : []),
    ];
    if (target.exists && !overwrite) throw new DavError(412, 'The destination exists.');
    checkTokens(view, targets, tokens);
    if (isFile(target) && isFile(source)) {
      await replaceFile(tx, context, actor, { source: member, target: getMember(target), isMove });
      if (isMove) await endLocks(tx, locks, view, member.entry);
      return { status: 204 };
    }
    if (target.exists) {
      const replaced = getMember(target);
      await drive.recycling.recycle(tx, actor, replaced);
      await endLocks(tx, locks, view, replaced.entry);
    }
    await how.put(tx, member, place, view);
    return { status: target.exists ? 204 : 201 };
  };
  const isLong = async (tx: Tx) => {
    const { source, target } = await find(tx);
    return (await isManyOf(tx, source)) || (await isManyOf(tx, target));
  };
  const isManyOf = (tx: Tx, resource: Resource) => changesManyEntries(tx, drive, resource);
  return drives.withDriveLock(actor, 0, work, isLong);
}

/**
 * COPY or MOVE of a file onto a file. RFC 4918, section 9.8.4, asks for a DELETE of the destination first.
 * But then programs that save by MOVE would end the links of a document. So the destination keeps its
 * identity and its locks, and gets the content and the properties of the source.
 * @throws DavError 507, Failure `over-limit`
 */
async function replaceFile(
  tx: Tx,
  { drive }: ChangeContext,
  actor: Actor,
  { source, target, isMove }: { source: EntryWithPath; target: EntryWithPath; isMove: boolean },
): Promise<void> {
  const { fileReplacement } = drive;
  await mergeDeadProperties(tx, source.entry, target.entry);
  if (!isMove) return fileReplacement.copyOnto(tx, actor, source, target);
  const isSourceShared = await isShared(tx, source.entry.id);
  await fileReplacement.moveOnto(tx, actor, { source, target, isShared: isSourceShared });
}

function isFile({ entry }: Resource): boolean {
  return entry?.isDirectory === false;
}

/**
 * RFC 4918, section 10.3.
 * @throws Failure `invalid`; DavError 502; 403 for the list of shared drives and the root of one
 */
function readDestination({ headers, hosts }: DavRequest): EntryTarget {
  const text = utf8Of(headers, 'destination')?.trim();
  if (text === undefined) throw new Failure('invalid', 'Destination is missing.');
  const target = readReference(text, hosts);
  if (target === 'drives' || isSharedRoot(target)) throw fixed();
  return target;
}

/** @throws DavError 409 if the caller has no such drive, as for any other place that does not exist */
async function findDestinationDrive(
  { database, sharedDrives }: ChangeContext,
  request: DavRequest,
  target: EntryTarget,
) {
  const found = await sharedDrives.findDriveOf(database.db, request, target);
  if (found === undefined) throw new DavError(409, 'The drive of the destination does not exist.');
  return found;
}

/**
 * @throws DavError 403 if they are the same (RFC 4918, section 9.8.5), or one is below the other: a directory
 *   cannot be put into itself, nor replaced by what is in it
 */
function checkApart(source: LogicalPath, destination: LogicalPath): void {
  if (isAtOrBelow(destination, source) || isAtOrBelow(source, destination)) {
    throw new DavError(403, 'The source and the destination must not contain each other.');
  }
}
