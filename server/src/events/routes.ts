import type { FastifyRequest } from 'fastify';
import { toTimestamp } from '../base/clock.ts';
import { toLogicalPath } from '../base/text/logical-path.ts';
import { callerOf, clientIdOf, toClientId } from '../http/caller.ts';
import { ErrorEnvelope, enveloped, success } from '../http/envelope.ts';
import { openEventStream, sendEventStreamHead } from '../http/event-stream.ts';
import type { Server } from '../http/server.ts';
import { Changes, ChangesQuery, EventsQuery, type FileEventRecord, MOST_CHANGES } from './contract.ts';
import type { Events } from './events.ts';
import type { FileEvent, StoredEvent } from './file-event.ts';
import type { EventStreams } from './streams.ts';

const DEFAULT_CHANGES = 100;

/** What happens in the caller's drive, as it happens and afterwards (contract, section 8). */
export function eventRoutes(
  server: Server,
  { events, streams }: { events: Events; streams: EventStreams },
): void {
  const config = { access: 'login' } as const;

  server.get(
    '/api/v2/files/events',
    {
      config: { ...config, takesTokenInQuery: true },
      schema: {
        querystring: EventsQuery,
        produces: ['text/event-stream'],
        response: { '4xx': ErrorEnvelope, '5xx': ErrorEnvelope },
      },
    },
    async (request, reply) => {
      const { accountId: ownerId, sessionId, tokenExpiresAt } = callerOf(request);
      const path = toLogicalPath(request.query.path ?? '/');
      if (request.method === 'HEAD') return sendEventStreamHead(reply);
      const clientId = clientIdOf(request) ?? toClientId(request.query.clientId);
      try {
        await streams.serve({ ownerId, path, clientId }, { sessionId, tokenExpiresAt }, seenBy(request), () =>
          openEventStream(reply),
        );
      } catch (error) {
        if (!reply.sent) throw error;
        request.log.warn({ requestId: request.id, err: error }, 'an event stream was cut');
      }
      return reply;
    },
  );

  server.get(
    '/api/v2/files/changes',
    { config, schema: { querystring: ChangesQuery, response: enveloped(Changes) } },
    async (request) => {
      const { cursor, limit = DEFAULT_CHANGES } = request.query;
      const most = Math.min(limit, MOST_CHANGES);
      const { events: found, ...rest } = await events.readChanges(callerOf(request).accountId, cursor, most);
      return success({ items: found.map(toRecord), ...rest });
    },
  );
}

/**
 * Up to where the reader knows everything. The header goes first: a browser that connects anew sends it, to an address
 * that still says where the page began.
 */
function seenBy(request: FastifyRequest<{ Querystring: { lastEventId?: string } }>): number | undefined {
  const { 'last-event-id': header } = request.headers;
  const text = (Array.isArray(header) ? header[0] : header) || request.query.lastEventId;
  if (text === undefined || text === '') return undefined;
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

function toRecord({ entryId, payload, createdAt, ...event }: StoredEvent): FileEventRecord {
  return {
    ...event,
    fileId: entryId,
    // Written by `insertEvents`.
    payload: JSON.parse(payload) as FileEvent['payload'],
    createdAt: toTimestamp(createdAt),
  };
}
