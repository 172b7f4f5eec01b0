import { type Static, Type } from 'typebox';
import { ErrorEnvelope } from '../http/envelope.ts';
import { ByteCount, Id, Nullable, PathText, Timestamp } from '../http/fields.ts';
import { operation } from '../http/operation.ts';

const Path = Type.String({ description: 'absolute, `/`-separated logical path' });

const EventsQuery = Type.Object({
  path: Type.Optional(PathText),
  clientId: Type.Optional(
    Type.String({ maxLength: 1_024, description: 'like the header `X-Service-Client-Id`' }),
  ),
  lastEventId: Type.Optional(Type.String({ maxLength: 64, description: 'like the header `Last-Event-ID`' })),
  devices: Type.Optional(
    Type.Boolean({ description: 'also `DEVICES` messages; the login then counts as present' }),
  ),
  access_token: Type.Optional(
    Type.String({ maxLength: 4_096, description: 'for clients that cannot set headers' }),
  ),
});

/** A file event. `RESYNC` and `READY` are sent only on streams and have other members. */
export const FileEventRecord = Type.Object({
  id: Id,
  eventType: Type.String(),
  fileId: Nullable(Id),
  fromPath: Nullable(Path),
  toPath: Nullable(Path),
  clientId: Nullable(Type.String()),
  payload: Type.Object({
    filename: Type.String(),
    path: Path,
    directory: Type.Boolean(),
    size: ByteCount,
    contentType: Nullable(Type.String()),
    sender: Type.Optional(
      Nullable(Type.String({ description: 'only of an upload through a folder link: the name given there' })),
    ),
  }),
  createdAt: Timestamp,
  actorId: Type.Optional(
    Nullable(
      Type.Integer({ description: 'only in a shared drive: who made the change; null for a visitor' }),
    ),
  ),
  actorName: Type.Optional(
    Nullable(Type.String({ description: 'only in a shared drive: the name of the actor at that time' })),
  ),
});
export type FileEventRecord = Static<typeof FileEventRecord>;

const Cursor = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const MAX_CHANGES = 1_000;

const ChangesQuery = Type.Object({
  cursor: Type.Optional(Cursor),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: `default 100; at most ${MAX_CHANGES} are returned`,
    }),
  ),
});

export const Changes = Type.Object({
  items: Type.Array(FileEventRecord, { maxItems: MAX_CHANGES }),
  nextCursor: Cursor,
  hasMore: Type.Boolean(),
});

export const streamEvents = operation('GET /api/v2/files/events', {
  does: 'Sends what happens below a directory until the client leaves.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  takesTokenInQuery: true,
  query: EventsQuery,
  responses: {
    200: {
      description: 'events until the client leaves',
      content: { 'text/event-stream': { schema: Type.String() } },
    },
    '4xx': ErrorEnvelope,
    '5xx': ErrorEnvelope,
  },
  example: { query: { path: '/' } },
});

export const readChanges = operation('GET /api/v2/files/changes', {
  does: 'Lists the changes of the drive after a cursor.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  query: ChangesQuery,
  data: Changes,
  example: { query: { cursor: 0, limit: 100 } },
});
