import type { FastifyRequest } from 'fastify';
import { toTimestamp } from '../base/dates.ts';
import { toLogicalPath } from '../base/text/names/logical-path.ts';
import { callerOf, clientIdOf, toClientId } from '../http/caller.ts';
import { driveIdOf } from '../http/chosen-drive.ts';
import { openEventStream, sendEventStreamHead } from '../http/event-stream.ts';
import { mount } from '../http/operation.ts';
import type { Server } from '../http/server.ts';
import { type FileEventRecord, MAX_CHANGES, readChanges, streamEvents } from './contract.ts';
import type { Events } from './events.ts';
import type { FileEvent, StoredEvent } from './file-event.ts';
import type { MessageWriter } from './message-writer.ts';
import type { EventStreams } from './streams.ts';

const DEFAULT_CHANGES = 100;

/** The events of the caller's drive: as a stream, and as pages of past changes. */
export function eventRoutes(
  server: Server,
  parts: {
    events: Events;
    streams: EventStreams;
    /** Returns the writer that sends a device's messages to its stream. */
    writerFor: (device: { accountId: number; sessionId: string }) => MessageWriter;
  },
): void {
  const { events, streams, writerFor } = parts;

  mount(server, streamEvents, async (request, reply) => {
    const caller = callerOf(request);
    const { accountId, sessionId, tokenExpiresAt } = caller;
    const driveId = driveIdOf(request);
    const isShared = request.chosenDrive !== undefined;
    const path = toLogicalPath(request.query.path ?? '/');
    if (request.method === 'HEAD') return sendEventStreamHead(reply);
    // A client with an app password does not count as a device.
    const isDevice = request.query.devices === true && caller.appPasswordScope === undefined;
    const writer = isDevice ? writerFor(caller) : undefined;
    const clientId = clientIdOf(request) ?? toClientId(request.query.clientId);
    try {
      await streams.serve(
        { driveId, path, clientId, accountId, isShared },
        { sessionId, tokenExpiresAt },
        { lastSeenId: lastSeenIdOf(request, request.query.lastEventId), writer },
        () => openEventStream(reply),
      );
    } catch (error) {
      if (!reply.sent) throw error;
      request.log.warn({ requestId: request.id, err: error }, 'an event stream failed');
    }
    return reply;
  });

  mount(server, readChanges, async (request) => {
    const { cursor, limit = DEFAULT_CHANGES } = request.query;
    const { events: found, ...rest } = await events.readChanges(
      driveIdOf(request),
      cursor,
      Math.min(limit, MAX_CHANGES),
      callerOf(request).accountId,
    );
    const isShared = request.chosenDrive !== undefined;
    return { items: found.map((event) => toRecord(event, isShared)), ...rest };
  });
}

/**
 * The id of the last event that the client has seen; NaN for an invalid id. The header takes precedence: when
 * a browser reconnects, it sends the header, but its URL still has the id from the first connection.
 */
function lastSeenIdOf({ headers }: FastifyRequest, lastEventId: string | undefined): number | undefined {
  const { 'last-event-id': header } = headers;
  const text = (Array.isArray(header) ? header[0] : header) || lastEventId;
  if (text === undefined || text === '') return undefined;
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

function toRecord(stored: StoredEvent, isShared: boolean): FileEventRecord {
  const { id, eventType, entryId, fromPath, toPath, clientId, payload, createdAt } = stored;
  const { actorId, actorName } = stored;
  return {
    ...{ id, eventType, fileId: entryId, fromPath, toPath, clientId },
    // Written by `insertEvents`.
    payload: JSON.parse(payload) as FileEvent['payload'],
    createdAt: toTimestamp(createdAt),
    ...(isShared && { actorId, actorName }),
  };
}
