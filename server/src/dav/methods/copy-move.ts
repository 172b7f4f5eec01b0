import { Failure } from '../../base/failure.ts';
import { isAtOrBelow, type LogicalPath } from '../../base/text/names/logical-path.ts';
import type { Tx } from '../../database/database.ts';
import type { Actor, EntryWithPath, Place } from '../../drive/drive.ts';
import { isShared } from '../../shares/shares.ts';
import { DavError } from '../dav-error.ts';
import { checkTokensInDrives } from '../locks/locks.ts';
import { checkPropertiesFit, checkRoomForProperties, mergeDeadProperties } from '../properties/merge.ts';
import { copyDeadProperties } from '../properties/queries.ts';
import { type EntryTarget, isSharedRoot, readReference } from '../protocol/href.ts';
import type { DavAnswer, DavRequest } from '../protocol/messages.ts';
import { readDepth, readOverwrite, utf8Of } from '../protocol/request-headers.ts';
import { findResource, getMember, getPlace, type Resource } from '../resource.ts';
import { fixed } from '../shared-drives/shared-drives.ts';
import { type ChangeContext, changesManyEntries, endLocks, targetsOfRemoval } from './change-context.ts';

/** COPY (RFC 4918, section 9.8). The copies refer to the same stored bytes. */
export function copyResource(context: ChangeContext, request: DavRequest): Promise<DavAnswer> {
  const depth = readDepth(request.headers) ?? 'infinity';
  // Section 9.8.3.
  if (depth === '1') throw new Failure('invalid', 'The Depth of COPY is 0 or infinity.');
  return transfer(context, request, { isMove: false, isDeep: depth === 'infinity' });
}

/** MOVE (RFC 4918, section 9.9). Locks do not move with the entry: they end (section 7.5). */
export function moveResource(context: ChangeContext, request: DavRequest): Promise<DavAnswer> {
  const depth = readDepth(request.headers) ?? 'infinity';
  // Section 9.9.2.
  if (depth !== 'infinity') throw new Failure('invalid', 'The Depth of MOVE is infinity.');
  return transfer(context, request, { isMove: true, isDeep: true });
}

/** A COPY or MOVE, within a drive or to another one. */
interface Transfer {
  readonly isMove: boolean;
  /** Whether a directory is transferred with everything below it. */
  readonly isDeep: boolean;
  readonly from: Actor;
  readonly to: Actor;
}

async function transfer(
  context: ChangeContext,
  request: DavRequest,
  { isMove, isDeep }: Pick<Transfer, 'isMove' | 'isDeep'>,
): Promise<DavAnswer> {
  const { drives, drive } = context;
  const { actor } = request;
  const overwrite = readOverwrite(request.headers);
  const destination = readDestination(request);
  const to = { ...actor, driveId: await findDestinationDrive(context, request, destination) };
  // A VIEWER may copy to another drive.
  const from: Actor = { ...actor, needs: isMove ? 'EDITOR' : 'VIEWER' };
  const isWithin = isWithinDrive({ from, to });
  if (isWithin) checkApart(request.path, destination.path);
  const find = async (tx: Tx) => ({
    source: await findResource(tx, drive, from.driveId, request.path),
    target: await findResource(tx, drive, to.driveId, destination.path),
  });
  const work = async (tx: Tx) => {
    const found = { ...(await find(tx)), root: destination.root };
    return await transferResource(tx, context, request, { isMove, isDeep, from, to, overwrite, ...found });
  };
  const isLong = async (tx: Tx) => {
    const { source, target } = await find(tx);
    return (await changesManyEntries(tx, drive, source)) || (await changesManyEntries(tx, drive, target));
  };
  if (isWithin) return await drives.withDriveLock(actor, 0, work, isLong);
  return isMove
    ? await drives.withTwoDriveLocks([from, to], work, isLong)
    : await drives.withTargetLock({ from, to }, work, isLong);
}

async function transferResource(
  tx: Tx,
  context: ChangeContext,
  request: DavRequest,
  how: Transfer & {
    readonly source: Resource;
    readonly target: Resource;
    readonly overwrite: boolean;
    /** The address of the root of the target's drive. */
    readonly root: string;
  },
): Promise<DavAnswer> {
  const { drive, preconditions, locks } = context;
  const { source, target, isMove, to } = how;
  const member = getMember(source);
  const place = getPlace(target);
  const { view, tokens } = await preconditions.check(tx, request, source);
  const isReplacement = isFile(source) && isFile(target);
  if (target.exists && !how.overwrite) throw new DavError(412, 'The destination exists.');
  const targetView = isWithinDrive(how)
    ? view
    : await locks.view(tx, { driveId: to.driveId, root: how.root });
  checkTokensInDrives(
    [
      // As with PUT, new content for an existing file does not change its directory.
      { view: targetView, targets: isReplacement ? [target] : targetsOfRemoval(target, targetView) },
      { view, targets: isMove ? targetsOfRemoval(source, view) : [] },
    ],
    targetView.withoutOthers(tokens, request.actor.accountId),
  );
  if (isReplacement) {
    await replaceFile(tx, context, how, { source: member, target: getMember(target) });
  } else {
    if (target.exists) {
      const replaced = getMember(target);
      await drive.recycling.recycle(tx, to, replaced);
      await endLocks(tx, locks, targetView, replaced.entry);
    }
    await putEntry(tx, context, how, { source: member, place });
  }
  if (isMove) await endLocks(tx, locks, view, member.entry);
  return { status: target.exists ? 204 : 201 };
}

/**
 * Copies or moves an entry to a free place. Between two drives, a MOVE is a copy, and a deletion of the
 * original.
 * @throws DavError 507, Failure `over-limit`
 */
async function putEntry(
  tx: Tx,
  { drive }: ChangeContext,
  how: Transfer,
  { source, place }: { readonly source: EntryWithPath; readonly place: Place },
): Promise<void> {
  const { isMove, isDeep, from, to } = how;
  const { entry } = source;
  if (isMove && isWithinDrive(how)) {
    await drive.placement.move(tx, to, source, place);
    return;
  }
  const hasProperties = await checkRoomForProperties(tx, { source: entry, driveId: to.driveId, isDeep });
  const copy =
    entry.isDirectory && !isDeep
      ? await drive.placement.makeDirectory(tx, to, place)
      : await drive.placement.copy(tx, to, source, place);
  if (hasProperties) {
    await copyDeadProperties(tx, { fromId: entry.id, toId: copy.id, driveId: copy.driveId, isDeep });
    // The original may have got more of them meanwhile.
    await checkPropertiesFit(tx, copy.driveId);
  }
  if (isMove) await drive.recycling.recycle(tx, from, source);
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
  how: Transfer,
  { source, target }: { readonly source: EntryWithPath; readonly target: EntryWithPath },
): Promise<void> {
  const { fileReplacement, recycling } = drive;
  const { isMove, from, to } = how;
  await mergeDeadProperties(tx, source.entry, target.entry);
  if (isMove && isWithinDrive(how)) {
    const isSourceShared = await isShared(tx, source.entry.id);
    return fileReplacement.moveOnto(tx, to, { source, target, isShared: isSourceShared });
  }
  await fileReplacement.copyOnto(tx, to, source, target);
  if (isMove) await recycling.recycle(tx, from, source);
}

function isWithinDrive({ from, to }: Pick<Transfer, 'from' | 'to'>): boolean {
  return from.driveId === to.driveId;
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

/** @throws DavError 404 if the caller has no such drive */
async function findDestinationDrive(
  { database, sharedDrives }: ChangeContext,
  request: DavRequest,
  target: EntryTarget,
): Promise<number> {
  const id = await sharedDrives.findIdOf(database.db, request, target);
  if (id === undefined) throw new DavError(404, 'The drive of the destination does not exist.');
  return id;
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
