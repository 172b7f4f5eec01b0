import { type Static, Type } from 'typebox';
import type { JsonObject } from '../base/text/json/json.ts';
import { OnConflict } from '../drive/contract.ts';
import { ENCODINGS, type Encoding } from '../formats/encodings/encodings.ts';
import { Id, NameText, Nullable, PathText, pageQuery, Timestamp } from '../http/fields.ts';

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

/** One entry, or several with the directory and name of their archive. */
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

export const ArchiveQuery = Type.Object({
  encoding: Type.Optional(
    Type.Unsafe<Encoding>({ type: 'string', enum: [...ENCODINGS], description: encodingDescription }),
  ),
});

/** The most entries of an archive that are listed. */
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
      Type.String({
        ...NameText,
        description: 'of a new directory beside the archive that gets the content; none by default',
      }),
    ),
  ),
});
export type ExtractBody = Static<typeof ExtractBody>;

export const TaskParams = Type.Object({ id: Id });

export const ListQuery = Type.Object(pageQuery);

const PublicState = Type.Unsafe<JsonObject>(
  Type.Object({}, { additionalProperties: true, description: 'depends on type and status' }),
);

export const TaskRecord = Type.Object({
  id: Id,
  userId: Id,
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
