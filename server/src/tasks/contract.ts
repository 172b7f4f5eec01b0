import { type Static, Type } from 'typebox';
import type { JsonObject } from '../base/text/json.ts';
import { MAX_PATH_LENGTH } from '../base/text/names/logical-path.ts';
import { EntryParams, OnConflict } from '../drive/contract.ts';
import { ENCODINGS, type Encoding } from '../formats/encodings/encodings.ts';
import { EXAMPLE } from '../http/examples.ts';
import { Id, NameText, Nullable, PageOf, PathText, pageQuery, Timestamp } from '../http/fields.ts';
import { operation } from '../http/operation.ts';

export const CorrelationId = Type.Optional(
  Nullable(
    Type.String({
      maxLength: 128,
      pattern: '^[^\\u0000-\\u001f\\u007f]*$',
      description: 'a second request with the same id gives the first task',
    }),
  ),
);

/** A blank correlation id counts as none. */
export function toCorrelationId(text: string | null | undefined): string | null {
  return text?.trim() ? text : null;
}

const createFields = {
  fileId: Id,
  path: Type.String({ ...PathText, description: 'the current path of the file' }),
  correlationId: CorrelationId,
};

export const CreateBody = Type.Object(createFields);

/** Names one entry, or several entries with the directory and name of their archive. */
export const ArchiveBody = Type.Object({
  fileId: Type.Optional(Id),
  fileIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 1_000 })),
  path: Type.String({
    ...PathText,
    description: 'the current path of `fileId`, or the directory for the archive of `fileIds`',
  }),
  name: Type.Optional(
    Nullable(
      Type.String({ ...NameText, description: 'of the archive of `fileIds`; Archive.zip by default' }),
    ),
  ),
  correlationId: CorrelationId,
});

const encodingDescription = 'of the names that do not declare UTF-8; guessed by default';

const ArchiveQuery = Type.Object({
  encoding: Type.Optional(
    Type.Unsafe<Encoding>({ type: 'string', enum: [...ENCODINGS], description: encodingDescription }),
  ),
});

/** The maximum number of entries listed from an archive. */
export const MAX_LISTED_ENTRIES = 2_000;

export const ArchiveContents = Type.Object({
  entries: Type.Array(
    Type.Object({
      path: Type.String(),
      directory: Type.Boolean(),
      size: Type.Integer(),
      modifiedAt: Nullable(Timestamp),
    }),
    { maxItems: MAX_LISTED_ENTRIES },
  ),
  total: Type.Integer({ description: 'all entries of the archive' }),
  cut: Type.Boolean({ description: 'only the first entries are listed' }),
  encoding: Nullable(
    Type.String({
      description: 'of the names that are not UTF-8, as chosen or guessed; null if all are UTF-8',
    }),
  ),
});
export type ArchiveContents = Static<typeof ArchiveContents>;

export const ExtractBody = Type.Object({
  ...createFields,
  onConflict: OnConflict,
  encoding: Type.Optional(
    Type.Unsafe<Encoding | null>({
      type: ['string', 'null'],
      enum: [...ENCODINGS, null],
      description: encodingDescription,
    }),
  ),
  folder: Type.Optional(
    Nullable(
      Type.String({ ...NameText, description: 'of a new directory for the content; none by default' }),
    ),
  ),
  into: Type.Optional(
    Nullable(
      Type.String({
        ...PathText,
        description: 'of an existing directory that gets the content; by default that of the archive',
      }),
    ),
  ),
  entries: Type.Optional(
    Nullable(
      Type.Array(Type.String({ minLength: 1, maxLength: MAX_PATH_LENGTH }), {
        minItems: 1,
        maxItems: 1_000,
        description: 'the paths in the archive that are extracted, with everything below; all by default',
      }),
    ),
  ),
});

const TaskParams = Type.Object({ id: Id });

const PublicState = Type.Unsafe<JsonObject>(
  Type.Object({}, { additionalProperties: true, description: 'depends on type and status' }),
);

export const TaskRecord = Type.Object({
  id: Id,
  userId: Nullable(Id),
  type: Type.String(),
  status: Type.String(),
  correlationId: Nullable(Type.String()),
  errorMessage: Nullable(Type.String()),
  failureCategory: Nullable(Type.String()),
  publicStateJson: PublicState,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  finishedAt: Nullable(Timestamp),
});
export type TaskRecord = Static<typeof TaskRecord>;

export const listTasks = operation('GET /api/v2/tasks', {
  does: 'Lists the tasks of the caller, the newest first.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  query: Type.Object(pageQuery),
  data: PageOf(TaskRecord),
  example: { query: { size: 20 } },
});

export const getTask = operation('GET /api/v2/tasks/{id}', {
  does: 'Shows a task.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  path: TaskParams,
  data: TaskRecord,
  example: { path: { id: EXAMPLE.task } },
});

export const cancelTask = operation('DELETE /api/v2/tasks/{id}', {
  does: 'Cancels a task.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: TaskParams,
  data: TaskRecord,
  example: { path: { id: EXAMPLE.task } },
});

export const retryTask = operation('POST /api/v2/tasks/{id}/retry', {
  does: 'Queues a failed task again.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: TaskParams,
  data: TaskRecord,
  example: { path: { id: EXAMPLE.failedTask } },
});

export const createArchive = operation('POST /api/v2/tasks/archive', {
  does: 'Packs one or several entries into a ZIP archive in the drive.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  body: ArchiveBody,
  data: TaskRecord,
  example: { body: { fileId: EXAMPLE.file, path: EXAMPLE.filePath } },
});

export const extractArchive = operation('POST /api/v2/tasks/extract', {
  does: 'Extracts an archive, or some of its entries, into a directory.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  body: ExtractBody,
  data: TaskRecord,
  example: { body: { fileId: EXAMPLE.zip, path: EXAMPLE.zipPath, onConflict: 'RENAME' } },
});

export const readMediaMetadata = operation('POST /api/v2/tasks/media-metadata', {
  does: 'Reads the metadata of a picture, video or sound.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  body: CreateBody,
  data: TaskRecord,
  example: { body: { fileId: EXAMPLE.picture, path: EXAMPLE.picturePath } },
});

export const listArchive = operation('GET /api/v2/files/{fileId}/archive', {
  does: 'Lists what is in an archive.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  path: EntryParams,
  query: ArchiveQuery,
  data: ArchiveContents,
  example: { path: { fileId: EXAMPLE.zip } },
});
