import { type Static, Type } from 'typebox';
import { CONFLICT_RULES, type ConflictRule } from '../base/domain/conflict-rules.ts';
import { UPLOAD_CONFLICT_RULES, type UploadConflictRule } from '../base/domain/uploads.ts';
import { MAX_PAGE_SIZE } from '../base/page.ts';
import { type LogicalPath, ROOT_PATH, toLogicalPath } from '../base/text/names/logical-path.ts';
import { EXAMPLE } from '../http/examples.ts';
import {
  AccountOrNull,
  ByteCount,
  FileBytes,
  Id,
  KeyText,
  NameText,
  Nullable,
  PageOf,
  PathText,
  pageQuery,
  Timestamp,
  TimestampText,
} from '../http/fields.ts';
import { operation } from '../http/operation.ts';

const Path = Type.String({ description: 'absolute, `/`-separated logical path' });

const recordFields = {
  id: Id,
  filename: Type.String(),
  path: Path,
  parentPath: Path,
  size: ByteCount,
  contentType: Nullable(Type.String()),
  directory: Type.Boolean(),
  createdAt: Timestamp,
  updatedAt: Type.String({ ...Timestamp, description: 'when the record was last changed' }),
  modifiedAt: Type.String({ ...Timestamp, description: 'when the content was last modified on the client' }),
  thumbnailVersion: Nullable(
    Type.String({ description: 'changes with the content; null if the file can have no thumbnail' }),
  ),
};

/** A file or directory as others see it. */
export const EntryFacts = Type.Object(recordFields);

/** What only those who may use the drive see. */
export const driveFields = {
  driveId: Id,
  changedBy: Type.Optional(
    AccountOrNull(
      'only in a shared drive: who last changed content, name or place; null if the account is gone',
    ),
  ),
};

const ownRecordFields = { ...recordFields, ...driveFields, starred: Type.Boolean() };

/** How a picture or video appears on a screen. Null if it is not known, or not known yet. */
export const shapeFields = {
  width: Nullable(Type.Integer({ description: 'in pixels, turned as the orientation says' })),
  height: Nullable(Type.Integer()),
  duration: Nullable(Type.Number({ description: 'of a video, in seconds' })),
};

/** A file or directory as those see it who may use its drive. */
export const EntryRecord = Type.Object(ownRecordFields);
export type EntryRecord = Static<typeof EntryRecord>;

/** A file in the list of recent changes. */
export const RecentRecord = Type.Object({
  ...ownRecordFields,
  receivedThrough: Nullable(
    Type.Object(
      {
        title: Type.String({ description: 'the title of the folder link' }),
        sender: Nullable(Type.String({ description: 'the name that the visitor gave' })),
      },
      { description: 'of a file that a visitor of a folder link sent' },
    ),
  ),
});
export type RecentRecord = Static<typeof RecentRecord>;

/** An entry in the recycle bin. The other fields are as they were when it was deleted. */
export const BinRecord = Type.Object({
  ...ownRecordFields,
  originalPath: Path,
  deletedAt: Timestamp,
  expiresAt: Type.String({ description: 'when it is purged' }),
});
export type BinRecord = Static<typeof BinRecord>;

const Total = Nullable(
  Type.Integer({ description: 'only of a directory, at any depth; null if there are too many entries' }),
);

export const EntryDetails = Type.Object({
  ...ownRecordFields,
  sha256: Nullable(Type.String()),
  metadata: Type.Record(Type.String(), Type.String()),
  totalSize: Type.Optional(Total),
  fileCount: Type.Optional(Total),
  directoryCount: Type.Optional(Total),
});
export type EntryDetails = Static<typeof EntryDetails>;

export const SORT_KEYS = ['name', 'size', 'updatedAt', 'createdAt', 'modifiedAt'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

const ListQuery = Type.Object({
  path: Type.Optional(PathText),
  ...pageQuery,
  sort: Type.Optional(Type.Enum([...SORT_KEYS])),
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
});

const PageQuery = Type.Object(pageQuery);

export const EntryParams = Type.Object({ fileId: Id });

/** What to do if the name is taken. */
export const OnConflict = Type.Optional(
  Type.Unsafe<ConflictRule | null>({
    type: ['string', 'null'],
    enum: [...CONFLICT_RULES, null],
    description:
      'if the name is taken: FAIL (the default), RENAME to the first free `name (2).ext`, or REPLACE: the existing entry moves to the recycle bin',
  }),
);

export function toConflictRule(value: ConflictRule | null | undefined): ConflictRule {
  return value ?? 'FAIL';
}

export const RenameBody = Type.Object({ filename: NameText, onConflict: OnConflict });

/** Body of move and copy: the directory to move or copy into. */
export const TargetBody = Type.Object({ path: PathText, onConflict: OnConflict });

const RecycleQuery = Type.Object({
  cursor: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'of `GET /api/v2/files/changes`; if something has happened since, nothing is done (412)',
    }),
  ),
});

/** By default an import goes to the root directory. */
export const importFields = { path: Type.Optional(Nullable(PathText)), onConflict: OnConflict };

export const ImportBody = Nullable(Type.Object(importFields));

/** The target directory of an import, and what to do if a name is taken there. */
export interface ImportTarget {
  readonly targetPath: LogicalPath;
  readonly onConflict: ConflictRule;
}

export function toImportTarget(body: Static<typeof ImportBody> | undefined): ImportTarget {
  return {
    targetPath: toLogicalPath(body?.path ?? ROOT_PATH),
    onConflict: toConflictRule(body?.onConflict),
  };
}

/** What an upload does if the name is taken. */
export const UploadConflict = Type.Optional(
  Type.Unsafe<UploadConflictRule | null>({
    type: ['string', 'null'],
    enum: [...UPLOAD_CONFLICT_RULES, null],
    description:
      'if the name is taken: FAIL (the default), or NEW_VERSION: the file gets the new content and keeps its id; the old content becomes a version',
  }),
);

/** The fields of an upload form besides the file. They may be sent in the query instead. */
const UploadQuery = Type.Object({
  path: Type.Optional(PathText),
  modifiedAt: Type.Optional(TimestampText),
  onConflict: UploadConflict,
});

/** The path may be sent as a form field or in the query instead of in a JSON body. */
const PathQuery = Type.Object({ path: Type.Optional(PathText) });

export const SignedUrl = Type.Object({ url: Type.String(), expiresAt: Timestamp });
export type SignedUrl = Static<typeof SignedUrl>;

export const ZipTicketQuery = Type.Object({ ticket: KeyText });

export const makeDirectory = operation('POST /api/files/mkdir', {
  does: 'Makes a directory and its missing parents.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  query: PathQuery,
  body: Nullable(PathQuery),
  data: EntryRecord,
  example: { body: { path: '/Letters/2026' } },
});

export const renameEntry = operation('PATCH /api/files/{fileId}/rename', {
  does: 'Renames a file or directory.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: EntryParams,
  body: RenameBody,
  data: EntryRecord,
  example: { path: { fileId: EXAMPLE.file }, body: { filename: 'renamed.txt' } },
});

export const moveEntry = operation('PATCH /api/files/{fileId}/move', {
  does: 'Moves a file or directory into another directory.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: EntryParams,
  body: TargetBody,
  data: EntryRecord,
  example: { path: { fileId: EXAMPLE.file }, body: { path: '/', onConflict: 'RENAME' } },
});

export const copyEntry = operation('POST /api/files/{fileId}/copy', {
  does: 'Copies a file or directory into another directory.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: EntryParams,
  body: TargetBody,
  data: EntryRecord,
  example: { path: { fileId: EXAMPLE.directory }, body: { path: '/', onConflict: 'RENAME' } },
});

export const uploadFile = operation('POST /api/files/upload', {
  does: 'Uploads a file in one request.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  query: UploadQuery,
  form: Type.Object({ file: FileBytes, ...UploadQuery.properties }),
  data: EntryRecord,
  example: { form: { file: EXAMPLE.content, path: '/' } },
});

export const replaceContent = operation('PUT /api/v2/files/{fileId}/content', {
  does: 'Replaces the content of a file; the old content becomes a version.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: EntryParams,
  query: Type.Object({ modifiedAt: Type.Optional(TimestampText) }),
  takesBytes: true,
  data: EntryRecord,
  example: { path: { fileId: EXAMPLE.file }, bytes: EXAMPLE.content },
});

export const listDirectory = operation('GET /api/files/list', {
  does: 'Lists a directory.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  query: ListQuery,
  data: PageOf(EntryRecord),
  example: { query: { path: '/', size: 20 } },
});

export const listRecentFiles = operation('GET /api/files/recent', {
  does: 'Lists the most recently updated files.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  query: Type.Object({ size: pageQuery.size }),
  data: Type.Array(RecentRecord, { maxItems: MAX_PAGE_SIZE }),
  example: { query: { size: 20 } },
});

export const getEntry = operation('GET /api/v2/files/{fileId}', {
  does: 'Shows a file or directory with its details.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  path: EntryParams,
  data: EntryDetails,
  example: { path: { fileId: EXAMPLE.file } },
});

export const recycleEntry = operation('DELETE /api/files/{fileId}', {
  does: 'Moves a file or directory to the recycle bin.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: EntryParams,
  query: RecycleQuery,
  example: { path: { fileId: EXAMPLE.file } },
});

export const listRecycleBin = operation('GET /api/files/recycle-bin', {
  does: 'Lists the recycle bin.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  query: PageQuery,
  data: PageOf(BinRecord),
  example: { query: { size: 20 } },
});

export const restoreEntry = operation('POST /api/files/recycle-bin/{fileId}/restore', {
  does: 'Restores a file or directory from the recycle bin.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: EntryParams,
  body: Nullable(Type.Object({ onConflict: OnConflict })),
  data: EntryRecord,
  example: { path: { fileId: EXAMPLE.recycled }, body: { onConflict: 'RENAME' } },
});

export const purgeEntry = operation('DELETE /api/files/recycle-bin/{fileId}', {
  does: 'Deletes a file or directory in the recycle bin permanently.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  driveRole: 'MANAGER',
  path: EntryParams,
  example: { path: { fileId: EXAMPLE.recycled } },
});

export const emptyRecycleBin = operation('DELETE /api/files/recycle-bin', {
  does: 'Deletes everything in the recycle bin permanently.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  driveRole: 'MANAGER',
  example: {},
});

export const listStarredEntries = operation('GET /api/v2/files/starred', {
  does: 'Lists the starred files and directories, the newest star first.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  query: PageQuery,
  data: PageOf(EntryRecord),
  example: { query: { size: 20 } },
});

export const starEntry = operation('PUT /api/v2/files/{fileId}/star', {
  does: 'Stars a file or directory.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  driveRole: 'VIEWER',
  path: EntryParams,
  data: EntryRecord,
  example: { path: { fileId: EXAMPLE.file } },
});

export const unstarEntry = operation('DELETE /api/v2/files/{fileId}/star', {
  does: 'Removes the star of a file or directory.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  driveRole: 'VIEWER',
  path: EntryParams,
  data: EntryRecord,
  example: { path: { fileId: EXAMPLE.file } },
});
