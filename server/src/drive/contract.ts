import { type Static, Type } from 'typebox';
import { CONFLICT_RULES, type ConflictRule } from '../base/domain/conflict-rules.ts';
import { UPLOAD_CONFLICT_RULES, type UploadConflictRule } from '../base/domain/uploads.ts';
import { type LogicalPath, ROOT_PATH, toLogicalPath } from '../base/text/names/logical-path.ts';
import {
  ByteCount,
  Id,
  KeyText,
  NameText,
  Nullable,
  PathText,
  pageQuery,
  Timestamp,
  TimestampText,
} from '../http/fields.ts';

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

const ownRecordFields = { ...recordFields, starred: Type.Boolean() };

/** A file or directory as its owner sees it. */
export const EntryRecord = Type.Object(ownRecordFields);
export type EntryRecord = Static<typeof EntryRecord>;

/** A file of the list of recent changes. */
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

export const ListQuery = Type.Object({
  path: Type.Optional(PathText),
  ...pageQuery,
  sort: Type.Optional(Type.Enum([...SORT_KEYS])),
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
});

export const ContentQuery = Type.Object({ modifiedAt: Type.Optional(TimestampText) });

/** Content of a file that was replaced. */
export const FileVersion = Type.Object({
  id: Id,
  size: ByteCount,
  sha256: Nullable(Type.String()),
  modifiedAt: Timestamp,
  replacedAt: Timestamp,
});
export type FileVersion = Static<typeof FileVersion>;

export const VersionParams = Type.Object({ fileId: Id, versionId: Id });

export const RecentQuery = Type.Object({ size: pageQuery.size });

export const PageQuery = Type.Object(pageQuery);

export const EntryParams = Type.Object({ fileId: Id });

/** The rule for a name that is taken. */
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

export const RecycleQuery = Type.Object({
  cursor: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'of `GET /api/v2/files/changes`; if something has happened since, nothing is done (412)',
    }),
  ),
});

export const RestoreBody = Nullable(Type.Object({ onConflict: OnConflict }));

/** By default an import goes to the root directory. */
export const importFields = { path: Type.Optional(Nullable(PathText)), onConflict: OnConflict };

export const ImportBody = Nullable(Type.Object(importFields));

/** The target directory of an import, and the rule for a name that is taken there. */
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

/** The fields of an upload form besides the file. Both may be sent in the query instead. */
/** The rule of an upload for a name that is taken. */
export const UploadConflict = Type.Optional(
  Type.Unsafe<UploadConflictRule | null>({
    type: ['string', 'null'],
    enum: [...UPLOAD_CONFLICT_RULES, null],
    description:
      'if the name is taken: FAIL (the default), or NEW_VERSION: the file gets the new content and keeps its id; the old content becomes a version',
  }),
);

export const UploadQuery = Type.Object({
  path: Type.Optional(PathText),
  modifiedAt: Type.Optional(TimestampText),
  onConflict: UploadConflict,
});

/** The path may be sent as a form field or in the query instead of in a JSON body. */
export const PathQuery = Type.Object({ path: Type.Optional(PathText) });

export const SignedUrl = Type.Object({ url: Type.String(), expiresAt: Timestamp });
export type SignedUrl = Static<typeof SignedUrl>;

/** The entries of a download as one ZIP archive, and the archive's name. */
export const ZipDownloadBody = Type.Object({
  fileIds: Type.Array(Id, { minItems: 1, maxItems: 1_000 }),
  name: Type.Optional(Nullable(NameText)),
});

export const ZipTicketQuery = Type.Object({ ticket: KeyText });
