import type { Tx } from '../../database/database.ts';
import { DavError } from '../dav-error.ts';
import { checkTokens } from '../locks/locks.ts';
import type { DavAnswer, DavRequest } from '../protocol/messages.ts';
import { readDepth } from '../protocol/request-headers.ts';
import { findResource, getMember, getPlace } from '../resource.ts';
import {
  type ChangeContext,
  changesManyEntries,
  endLocks,
  targetsOfCreation,
  targetsOfRemoval,
} from './change-context.ts';

/** MKCOL (RFC 4918, section 9.3). */
export function makeCollection(context: ChangeContext, request: DavRequest): Promise<DavAnswer> {
  const { drives, drive, preconditions } = context;
  const { actor, path } = request;
  // Section 9.3.1, and RFC 5689: a body could ask for another type of resource, and none is supported.
  if (request.hasBody) throw new DavError(415, 'MKCOL takes no body.');
  return drives.withDriveLock(actor.ownerId, 0, async (tx) => {
    const resource = await findResource(tx, drive, actor.ownerId, path);
    if (resource.exists) throw new DavError(405, 'There is something at this address already.');
    const place = getPlace(resource);
    const { view, tokens } = await preconditions.check(tx, request, resource);
    checkTokens(view, targetsOfCreation(resource), tokens);
    await drive.placement.makeDirectory(tx, actor, place);
    return { status: 201 };
  });
}

/** DELETE (RFC 4918, section 9.6): moves the entry, with everything below it, to the recycle bin. */
export function deleteResource(context: ChangeContext, request: DavRequest): Promise<DavAnswer> {
  const { drives, drive, preconditions, locks } = context;
  const { actor, path } = request;
  const depth = readDepth(request.headers);
  const find = (tx: Tx) => findResource(tx, drive, actor.ownerId, path);
  const remove = async (tx: Tx) => {
    const resource = await find(tx);
    const member = getMember(resource);
    // Section 9.6.1.
    if (member.entry.isDirectory && depth !== undefined && depth !== 'infinity') {
      throw new DavError(400, 'The Depth of the deletion of a directory is infinity.');
    }
    const { view, tokens } = await preconditions.check(tx, request, resource);
    checkTokens(view, targetsOfRemoval(resource, view), tokens);
    await drive.recycling.recycle(tx, actor, member);
    await endLocks(tx, locks, view, member.entry);
    return { status: 204 };
  };
  const isLong = async (tx: Tx) => changesManyEntries(tx, drive, await find(tx));
  return drives.withDriveLock(actor.ownerId, 0, remove, isLong);
}
