import { type Static, Type } from 'typebox';
import { MAX_ICE_SERVERS, MAX_ICE_URLS } from '../config/ice-servers.ts';
import { ByteCount, ContentTypeText, NameText, Nullable, PathText, Timestamp, Uuid } from '../http/fields.ts';

const MODES = ['ONLINE', 'OFFLINE'] as const;
const STATUSES = ['WAITING', 'JOINED', 'UPLOADING', 'READY'] as const;
const ROLES = ['sender', 'receiver'] as const;

/** The most live sessions of one account and mode. */
export const MAX_SESSIONS = 100;
/** The most files of one session. */
const MAX_FILES = 1_000;
/** The most signals of one answer. */
export const MAX_SIGNALS = 100;

const Role = Type.Unsafe<(typeof ROLES)[number]>({ type: 'string', enum: [...ROLES] });

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

/** A transfer session in an answer. Fields that are not listed here are never sent. */
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

/** An OFFLINE session has no peers, so its answer has no token. */
export const JoinedTransfer = Type.Object({
  ...TransferRecord.properties,
  peerToken: Type.Optional(TransferForPeer.properties.peerToken),
});

/** A session in the list of its sender. */
export const OwnTransferRecord = Type.Object({
  ...TransferRecord.properties,
  pickupCode: Nullable(Type.String({ description: 'null for an app password that may only read' })),
  fileCount: Type.Integer({
    description: 'also where `files` is empty: the list would be too long with them',
  }),
  totalBytes: ByteCount,
});
export type OwnTransferRecord = Static<typeof OwnTransferRecord>;

export const MineList = Type.Array(OwnTransferRecord, { maxItems: MAX_SESSIONS });
export const FileParams = Type.Object({ sessionId: Uuid, fileId: Uuid });
/** The transfer and the file of an upload in steps. The upload's own id is `sessionId`. */
export const TransferFileParams = Type.Object({ transferId: Uuid, fileId: Uuid });

export const LookUpQuery = Type.Object({ pickupCode: Type.String({ maxLength: 64 }) });
export const TransferParams = Type.Object({ sessionId: Uuid });

export const SignalQuery = Type.Object({ role: Type.Optional(Role) });

export const SignalBody = Type.Object({
  type: Type.String({ minLength: 1, maxLength: 128 }),
  payload: Type.Optional(Type.Unknown({ description: 'any JSON' })),
  role: Type.Optional(Nullable(Type.String({ maxLength: 32 }))),
});

export const SignalsQuery = Type.Object({
  role: Type.Optional(Role),
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  waitSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 25, description: 'long poll' })),
});

export const SignalRecord = Type.Object({
  cursor: Type.Integer(),
  from: Role,
  type: Type.String(),
  payload: Type.Unknown(),
  createdAt: Timestamp,
});
export type SignalRecord = Static<typeof SignalRecord>;

export const SignalPage = Type.Object({
  items: Type.Array(SignalRecord, { maxItems: MAX_SIGNALS }),
  nextCursor: Type.Integer(),
});
export type SignalPage = Static<typeof SignalPage>;

export const OfferBody = Type.Object({
  session: Type.String({
    minLength: 1,
    maxLength: 128,
    description: 'the `id` of a session of `GET /api/user/sessions`',
  }),
});

/** The message `DEVICES` of an event stream with `devices=true`. */
export interface DevicesMessage {
  readonly eventType: 'DEVICES';
  /** The offers to this device, newest first. */
  readonly offers: readonly {
    readonly sessionId: string;
    readonly pickupCode: string;
    /** The sending device; its members are null if its login has ended. */
    readonly from: { readonly client: 'desktop' | 'mobile' | null; readonly userAgent: string | null };
    readonly fileCount: number;
    readonly totalBytes: number;
    readonly encrypted: boolean;
    readonly expiresAt: string;
  }[];
  readonly createdAt: string;
}

export const IceServersQuery = Type.Object({
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
