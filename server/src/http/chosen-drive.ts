// Which drive a request is about, and what the caller may do there: see docs/api.md, "Shared drives".
import type { FastifyRequest } from 'fastify';
import {
  type AccountInDrive,
  checkRole,
  type DriveRole,
  includesRole,
  noDrive,
} from '../base/domain/drives.ts';
import { Failure } from '../base/failure.ts';
import { type Caller, callerOf, clientIdOf, mayWrite } from './caller.ts';

/** The shared drive that a request has chosen. */
interface ChosenDrive {
  readonly id: number;
  /** The caller's role. */
  readonly role: DriveRole;
}

/** The role of an account in a shared drive; undefined if there is no such drive for the account. */
export type FindDriveRole = (member: AccountInDrive) => Promise<DriveRole | undefined>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The request is about the caller's personal drive, or about the one that it chooses. */
    inDrive?: true;
    /** The role that the operation needs, if it is not the one that follows from `appPassword`. */
    driveRole?: DriveRole;
    /** The request may choose `all` drives of the caller. */
    takesAllDrives?: true;
  }
  interface FastifyRequest {
    /** Undefined for the caller's personal drive. */
    chosenDrive: ChosenDrive | undefined;
  }
}

/** At most 15 digits, so that every id is an exact number. */
const ID = /^[1-9]\d{0,14}$/;
const ALL = 'all';

/**
 * The id in the header `X-Service-Drive` or in the query parameter `drive`, or `all` where the operation
 * takes it.
 * @throws Failure `invalid` if it is neither, or if both name different drives
 */
function readChoice({ headers, query, routeOptions }: FastifyRequest): number | 'all' | undefined {
  const { drive } = query as { drive?: unknown };
  const texts = [headers['x-service-drive'], drive].filter((text) => text !== undefined);
  const [text] = texts;
  if (text === undefined) return undefined;
  const takesAll = routeOptions.config.takesAllDrives === true;
  if (takesAll && texts.every((each) => each === ALL)) return ALL;
  if (typeof text !== 'string' || !ID.test(text) || texts.some((other) => other !== text)) {
    throw new Failure('invalid', 'X-Service-Drive, or the parameter drive, must be the id of one drive.');
  }
  return Number(text);
}

/**
 * Finds the shared drive that a request chooses. Returns undefined for the caller's personal drive, and for
 * all drives.
 * @throws Failure `invalid`; `not-found` if the caller has no such drive; `forbidden` if the operation needs
 *   a higher role there
 */
export async function findChosenDrive(
  request: FastifyRequest,
  caller: Caller,
  findRole: FindDriveRole,
): Promise<ChosenDrive | undefined> {
  const { appPassword, driveRole } = request.routeOptions.config;
  const id = readChoice(request);
  if (id === undefined || id === ALL || id === caller.driveId) return undefined;
  const role = await findRole({ driveId: id, accountId: caller.accountId });
  if (role === undefined) throw noDrive();
  checkRole(role, driveRole ?? (appPassword === 'read' ? 'VIEWER' : 'EDITOR'));
  return { id, role };
}

/**
 * Whether the caller may change the drive that the request is about. Responses to others contain no tokens with
 * which anyone can change it.
 */
export function mayChangeDrive(request: FastifyRequest): boolean {
  const { chosenDrive } = request;
  return (
    mayWrite(callerOf(request)) && (chosenDrive === undefined || includesRole(chosenDrive.role, 'EDITOR'))
  );
}

/** Whether the request is about all drives of the caller. */
export function choosesAllDrives(request: FastifyRequest): boolean {
  return readChoice(request) === ALL;
}

/** The drive that the request is about. */
export function driveIdOf(request: FastifyRequest): number {
  return request.chosenDrive?.id ?? callerOf(request).driveId;
}

/**
 * An address for later requests about the drive of this one. In a shared drive, the address names the drive, so
 * that clients need no header.
 */
export function toAddressInDrive(request: FastifyRequest, address: string): string {
  const { chosenDrive } = request;
  if (chosenDrive === undefined) return address;
  return `${address}${address.includes('?') ? '&' : '?'}drive=${chosenDrive.id}`;
}

/** The drive that the request changes, on whose behalf, and the client that sent it. */
export function actorOf(request: FastifyRequest) {
  const { driveRole: needs } = request.routeOptions.config;
  const { accountId } = callerOf(request);
  return {
    ...{ driveId: driveIdOf(request), accountId, clientId: clientIdOf(request) },
    ...(needs !== undefined && { needs }),
  };
}
