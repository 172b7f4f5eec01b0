import { type Static, Type } from 'typebox';
import { EntryRecord, UploadConflict } from '../drive/contract.ts';
import { EXAMPLE } from '../http/examples.ts';
import {
  ByteCount,
  ContentTypeText,
  FileBytes,
  Id,
  KeyText,
  NameText,
  Nullable,
  PathText,
  Timestamp,
  TimestampText,
  UploadTarget,
  Uuid,
} from '../http/fields.ts';
import { operation } from '../http/operation.ts';
import { tusOperations } from './tus/operations.ts';

export { tusOperations };

/** The body of a legacy `initiate`. */
const CreateBody = Type.Object({
  path: Type.Optional(PathText),
  filename: NameText,
  contentType: Type.Optional(Nullable(ContentTypeText)),
  size: ByteCount,
  modifiedAt: Type.Optional(Nullable(TimestampText)),
});

/** The body that creates an upload session. */
export const CreateSessionBody = Type.Object({ ...CreateBody.properties, onConflict: UploadConflict });

const SessionParams = Type.Object({ sessionId: Uuid });

const PartParams = Type.Object({
  sessionId: Uuid,
  partIndex: Type.Integer({ description: 'from 0 to chunkCount - 1' }),
});

/** The store's response to the upload of a part, as the client reports it. */
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

/** A session with its upload progress, which is null once the session has ended. */
export const SessionWithRuntime = Type.Object({
  ...sessionFields,
  runtime: Type.Union([Runtime, Type.Null()]),
});
export type SessionWithRuntime = Static<typeof SessionWithRuntime>;

/** The body of a legacy `complete`. */
export const CompleteBody = Type.Object({
  path: Type.Optional(PathText),
  filename: NameText,
  storageName: KeyText,
  contentType: Type.Optional(Nullable(ContentTypeText)),
  size: Type.Optional(ByteCount),
});

export const initiateUpload = operation('POST /api/files/upload/initiate', {
  does: 'Announces a file and returns where to send its bytes.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  body: CreateBody,
  data: UploadTarget,
  example: {
    body: { path: '/', filename: 'letter.txt', contentType: 'text/plain', size: EXAMPLE.content.length },
  },
});

export const sendUploadContent = operation('PUT /api/files/upload/content', {
  does: 'Uploads the bytes of an announced file.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  query: Type.Object({ storageName: KeyText }),
  takesBytes: true,
  example: { query: { storageName: EXAMPLE.announced }, bytes: EXAMPLE.content },
});

export const completeUpload = operation('POST /api/files/upload/complete', {
  does: 'Creates the file of an upload whose bytes have arrived.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  body: CompleteBody,
  data: EntryRecord,
  example: { body: { path: '/', filename: 'letter.txt', storageName: EXAMPLE.stored } },
});

export const createUploadSession = operation('POST /api/v2/files/upload-sessions', {
  does: 'Announces a file and creates an upload session for it.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  body: CreateSessionBody,
  data: SessionRecord,
  example: {
    body: { path: '/', filename: 'report.txt', contentType: 'text/plain', size: EXAMPLE.content.length },
  },
});

export const getUploadSession = operation('GET /api/v2/files/upload-sessions/{sessionId}', {
  does: 'Shows an upload session and its progress.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  path: SessionParams,
  data: SessionWithRuntime,
  example: { path: { sessionId: EXAMPLE.uploadSession } },
});

export const cancelUploadSession = operation('DELETE /api/v2/files/upload-sessions/{sessionId}', {
  does: 'Cancels an upload session.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: SessionParams,
  data: SessionRecord,
  example: { path: { sessionId: EXAMPLE.filledSession } },
});

export const sendSessionContent = operation('POST /api/v2/files/upload-sessions/{sessionId}/content', {
  does: 'Uploads the bytes of an upload session.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: SessionParams,
  form: Type.Object({ file: FileBytes }),
  data: SessionRecord,
  example: { path: { sessionId: EXAMPLE.uploadSession }, form: { file: EXAMPLE.content } },
});

export const completeUploadSession = operation('POST /api/v2/files/upload-sessions/{sessionId}/complete', {
  does: 'Creates the file of an upload session whose bytes have arrived.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: SessionParams,
  body: Nullable(Type.Object({ onConflict: UploadConflict })),
  data: SessionRecord,
  example: { path: { sessionId: EXAMPLE.filledSession }, body: { onConflict: 'FAIL' } },
});

export const prepareSession = operation('GET /api/v2/files/upload-sessions/{sessionId}/prepare', {
  does: 'Returns the address at the object store for the bytes of an upload session.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: SessionParams,
  data: UploadTarget,
  example: { path: { sessionId: EXAMPLE.uploadSession } },
});

export const preparePart = operation(
  'GET /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}/prepare',
  {
    does: 'Returns the address at the object store for one part of an upload session.',
    access: 'login',
    appPassword: 'write',
    inDrive: true,
    path: PartParams,
    data: UploadTarget,
    example: { path: { sessionId: EXAMPLE.uploadSession, partIndex: 0 } },
  },
);

export const recordPart = operation('PUT /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}', {
  does: 'Records a part that the object store has received.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: PartParams,
  body: PartBody,
  data: SessionRecord,
  example: {
    path: { sessionId: EXAMPLE.uploadSession, partIndex: 0 },
    body: { etag: '"example"', size: EXAMPLE.content.length },
  },
});

export const ownTusOperations = tusOperations({
  uploads: '/api/v2/files/tus',
  upload: '/api/v2/files/tus/{sessionId}',
  access: 'login',
  inDrive: true,
  path: {},
  example: { sessionId: EXAMPLE.tusUpload },
});
