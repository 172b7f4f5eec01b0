import { UnreachableError } from '../../../client/src/errors/errors.ts';
import { readMessages } from '../../../client/src/events/event-stream.ts';
import type { RequestOptions } from '../../../client/src/requests/operation-types.ts';
import { ask, open } from './ask.ts';
import type { DriveId } from './in-drive.ts';

const MAX_MS = 30_000;
const MAX_CHANGES = 1_000;

/** The cursor of the newest event of a drive. @throws HoldallError */
export async function newestCursor(drive: DriveId): Promise<number> {
  const openStream = (options: RequestOptions) => {
    const headers = { ...options.headers, accept: 'text/event-stream' };
    return open('GET /api/v2/files/events', { ...options, drive, timeoutMs: MAX_MS, headers });
  };
  const watch = { signal: AbortSignal.timeout(MAX_MS), silenceMs: MAX_MS };
  for await (const message of readMessages(openStream, undefined, watch)) {
    if (message.type === 'event') return Number(message.id);
  }
  throw new UnreachableError(undefined);
}

/** The cursor of the newest event of a drive, from an earlier cursor on. @throws HoldallError */
export async function newerCursor(drive: DriveId, from: number): Promise<number> {
  for (let cursor = from; ; ) {
    const query = { cursor, limit: MAX_CHANGES };
    const { nextCursor, hasMore } = await ask('GET /api/v2/files/changes', { query, drive });
    if (!hasMore) return nextCursor;
    cursor = nextCursor;
  }
}
