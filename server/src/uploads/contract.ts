import { type Static, Type } from 'typebox';
import { UploadConflict } from '../drive/contract.ts';
import { EXAMPLE } from '../http/examples.ts';
import {
  ByteCount,
  ContentTypeText,
  Id,
  KeyText,
  NameText,
  Nullable,
  PathText,
  Timestamp,
  TimestampText,
  Uuid,
} from '../http/fields.ts';
import { tusOperations } from './tus/operations.ts';

export { tusOperations };

/** The body of a legacy `initiate`. */
export const CreateBody = Type.Object({
  path: Type.Optional(PathText),
  filename: NameText,
  contentType: Type.Optional(Nullable(ContentTypeText)),
  size: ByteCount,
  modifiedAt: Type.Optional(Nullable(TimestampText)),
});

/** The body that creates an upload session. */
export const CreateSessionBody = Type.Object({ ...CreateBody.properties, onConflict: UploadConflict });

/** The body of `complete`, which may be left out. */
export const CompleteSessionBody = Nullable(Type.Object({ onConflict: UploadConflict }));

export const SessionParams = Type.Object({ sessionId: Uuid });

export const PartParams = Type.Object({
  sessionId: Uuid,
  partIndex: Type.Integer({ description: 'from 0 to chunkCount - 1' }),
});

/** The store's answer to the upload of a part, as the client reports it. */
export const PartBody = Type.Object({
  etag: Type.String({ maxLength: 256, pattern: '^[\\x20-\\x7e]*$' }),
  size: ByteCount,
});

const Runtime = Type.Object({
  phase: Type.String(),
  uploadedBytes: ByteCount,
  uploadedPartCount: Type.Integer(),
  progressPercent: Type.Integer(),
  lastUpdatedAt: Timestamp,
  expiresAt: Timestamp,
});

const Strategy = Type.Object({
  prepareUrl: Type.Optional(Type.String()),
  proxyContentUrl: Type.Optional(Type.String()),
  proxyFormField: Type.Optional(Type.String()),
  partPrepareUrlTemplate: Type.Optional(Type.String()),
  partRecordUrlTemplate: Type.Optional(Type.String()),
  completeUrl: Type.String(),
});

const sessionFields = {
  sessionId: Type.String(),
  objectKey: Type.String(),
  directUpload: Type.Boolean(),
  multipartUpload: Type.Boolean(),
  uploadMode: Type.String(),
  path: Type.String(),
  filename: Type.String(),
  contentType: Type.String(),
  size: ByteCount,
  storagePolicyId: Id,
  status: Type.String(),
  chunkSize: ByteCount,
  chunkCount: Type.Integer(),
  expiresAt: Timestamp,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  modifiedAt: Nullable(Type.String({ ...Timestamp, description: 'the announced time of the content' })),
  strategy: Strategy,
  fileId: Nullable(Id),
};

export const SessionRecord = Type.Object(sessionFields);
export type SessionRecord = Static<typeof SessionRecord>;

/** With the progress of the upload, which is null at a terminal status. */
export const SessionWithRuntime = Type.Object({
  ...sessionFields,
  runtime: Type.Union([Runtime, Type.Null()]),
});
export type SessionWithRuntime = Static<typeof SessionWithRuntime>;

export const ContentQuery = Type.Object({ storageName: KeyText });

/** The body of a legacy `complete`. */
export const CompleteBody = Type.Object({
  path: Type.Optional(PathText),
  filename: NameText,
  storageName: KeyText,
  contentType: Type.Optional(Nullable(ContentTypeText)),
  size: Type.Optional(ByteCount),
});

export const ownTusOperations = tusOperations({
  uploads: '/api/v2/files/tus',
  upload: '/api/v2/files/tus/{sessionId}',
  access: 'login',
  path: {},
  example: { sessionId: EXAMPLE.tusUpload },
});
