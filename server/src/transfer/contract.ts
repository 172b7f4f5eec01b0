import { type Static, Type } from 'typebox';
import { MAX_ICE_SERVERS, MAX_ICE_URLS } from '../config/ice-servers.ts';
import { EXAMPLE } from '../http/examples.ts';
import { ByteCount, ContentTypeText, NameText, Nullable, PathText, Timestamp, Uuid } from '../http/fields.ts';
import { operation } from '../http/operation.ts';

const MODES = ['ONLINE', 'OFFLINE'] as const;
const STATUSES = ['WAITING', 'JOINED', 'UPLOADING', 'READY'] as const;

/** The maximum number of live sessions per account and mode. */
export const MAX_SESSIONS = 100;
/** The maximum number of files in one session. */
const MAX_FILES = 1_000;

/** 16 bytes in canonical base64url. */
const Salt = Type.String({ minLength: 22, maxLength: 22, pattern: '^[A-Za-z0-9_-]{21}[AQgw]$' });

/** In base64url: a nonce of 12 bytes, at least one byte, and a tag of 16 bytes. */
const EncryptedName = Type.String({ minLength: 39, maxLength: 4_096, pattern: '^[A-Za-z0-9_-]+$' });

const Announced = Type.Object({
  name: Type.Optional(Nullable(Type.String({ ...NameText, description: 'or: filename' }))),
  filename: Type.Optional(Nullable(NameText)),
  relativePath: Type.Optional(Nullable(PathText)),
  size: ByteCount,
  contentType: Type.Optional(Nullable(ContentTypeText)),
  encryptedName: Type.Optional(Nullable(EncryptedName)),
});
export type Announced = Static<typeof Announced>;

export const CreateBody = Type.Object({
  mode: Type.Unsafe<(typeof MODES)[number]>({ type: 'string', enum: [...MODES] }),
  files: Type.Array(Announced, { minItems: 1, maxItems: MAX_FILES }),
  encrypted: Type.Optional(
    Nullable(Type.Boolean({ description: 'the files and their names are encrypted by the sender' })),
  ),
  salt: Type.Optional(Nullable(Salt)),
  requirePeerToken: Type.Optional(
    Nullable(Type.Boolean({ description: 'accept signals only with a peer token' })),
  ),
});

/** A transfer session in a response. Fields not listed here are never sent. */
export const TransferRecord = Type.Object({
  sessionId: Uuid,
  pickupCode: Type.String(),
  mode: Type.Unsafe<(typeof MODES)[number]>({ type: 'string', enum: [...MODES] }),
  status: Type.Unsafe<(typeof STATUSES)[number]>({ type: 'string', enum: [...STATUSES] }),
  expiresAt: Timestamp,
  createdAt: Timestamp,
  encrypted: Type.Boolean(),
  salt: Nullable(Type.String()),
  files: Type.Array(
    Type.Object({
      id: Uuid,
      name: Type.String(),
      encryptedName: Nullable(Type.String()),
      relativePath: Nullable(Type.String()),
      size: ByteCount,
      contentType: Nullable(Type.String()),
      uploaded: Type.Boolean(),
    }),
    { maxItems: MAX_FILES },
  ),
});
export type TransferRecord = Static<typeof TransferRecord>;

export const TransferForPeer = Type.Object({
  ...TransferRecord.properties,
  peerToken: Type.String({ description: 'identifies a peer; sent as X-Transfer-Token' }),
});
export type TransferForPeer = Static<typeof TransferForPeer>;

/** The response to joining. An OFFLINE session has no peers, so it has no token. */
export const JoinedTransfer = Type.Object({
  ...TransferRecord.properties,
  peerToken: Type.Optional(TransferForPeer.properties.peerToken),
});

/** A session in its sender's list. */
export const OwnTransferRecord = Type.Object({
  ...TransferRecord.properties,
  pickupCode: Nullable(Type.String({ description: 'null for an app password that may only read' })),
  fileCount: Type.Integer({
    description: 'also where `files` is empty: the list would be too long with them',
  }),
  totalBytes: ByteCount,
});
export type OwnTransferRecord = Static<typeof OwnTransferRecord>;

const LookUpQuery = Type.Object({ pickupCode: Type.String({ maxLength: 64 }) });
export const TransferParams = Type.Object({ sessionId: Uuid });

const IceServersQuery = Type.Object({
  sessionId: Type.Optional(Uuid),
});

export const IceServers = Type.Object({
  iceServers: Type.Array(
    Type.Object({
      urls: Type.Array(Type.String(), { maxItems: MAX_ICE_URLS }),
      username: Type.Optional(Type.String()),
      credential: Type.Optional(Type.String()),
    }),
    { maxItems: MAX_ICE_SERVERS },
  ),
});
export type IceServers = Static<typeof IceServers>;

export const createTransfer = operation('POST /api/transfer/sessions', {
  does: 'Creates a transfer, which needs a login if its files are stored.',
  access: 'public',
  appPassword: 'write',
  body: CreateBody,
  data: TransferForPeer,
  example: { body: { mode: 'ONLINE', files: [{ name: 'file.txt', size: EXAMPLE.content.length }] } },
});

export const findTransfer = operation('GET /api/transfer/sessions/lookup', {
  does: 'Finds a transfer by its pickup code.',
  access: 'public',
  appPassword: 'read',
  query: LookUpQuery,
  data: TransferRecord,
  example: { query: { pickupCode: EXAMPLE.pickupCode } },
});

export const joinTransfer = operation('POST /api/transfer/sessions/{sessionId}/join', {
  does: 'Joins a transfer as its receiver.',
  access: 'public',
  appPassword: 'write',
  path: TransferParams,
  data: JoinedTransfer,
  example: { path: { sessionId: EXAMPLE.transfer } },
});

export const leaveTransfer = operation('DELETE /api/v2/transfer/sessions/{sessionId}/receiver', {
  does: 'Leaves a transfer, so that another receiver can join it.',
  access: 'public',
  appPassword: 'write',
  path: TransferParams,
  example: { path: { sessionId: EXAMPLE.transfer }, headers: { 'x-transfer-token': EXAMPLE.receiverToken } },
});

export const endTransfer = operation('DELETE /api/transfer/sessions/{sessionId}', {
  does: 'Ends a transfer of the caller.',
  access: 'public',
  appPassword: 'write',
  path: TransferParams,
  example: { path: { sessionId: EXAMPLE.storedTransfer } },
});

export const getIceServers = operation('GET /api/transfer/ice-servers', {
  does: 'Lists the servers with which two browsers find a way to each other.',
  access: 'public',
  appPassword: 'read',
  query: IceServersQuery,
  data: IceServers,
  example: { query: { sessionId: EXAMPLE.transfer } },
});
