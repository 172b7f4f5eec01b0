import { type Static, type TSchema, Type } from 'typebox';
import { DRIVE_KINDS, DRIVE_ROLES } from '../base/domain/drives.ts';
import { MAX_PAGE_SIZE, type Page } from '../base/page.ts';
import { MAX_NAME_LENGTH } from '../base/text/names/file-name.ts';
import { MAX_PATH_LENGTH } from '../base/text/names/logical-path.ts';

/** The schema or null. A list of types, not `anyOf`: the serializer compiles it to a single branch. */
export function Nullable<T extends TSchema & { type: string }>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });
}

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** A UUID as text, in upper or lower case (RFC 9562, section 4). */
export const Uuid = Type.String({
  format: 'uuid',
  maxLength: 36,
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
});

/*
 * Texts of requests. Every text has a limit, so that a megabyte of it cannot cause costly work. The limits
 * leave room for white space and decomposed characters: the rules of a text apply after those are removed.
 */

export const PathText = Type.String({
  maxLength: MAX_PATH_LENGTH,
  description: 'absolute, `/`-separated logical path',
});

/** The name of a file or directory. */
export const NameText = Type.String({ maxLength: MAX_NAME_LENGTH });

export const ContentTypeText = Type.String({ maxLength: 1_024 });

export const TimestampText = Type.String({
  maxLength: 64,
  description: 'ISO-8601 date and time; without a zone it is UTC',
});

/** A key or token. It is compared with stored ones and never shown. */
export const KeyText = Type.String({ maxLength: 512 });

export const Timestamp = Type.String({ description: 'ISO-8601, UTC, with milliseconds and Z' });

export const ByteCount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const KindOfDrive = Type.Enum([...DRIVE_KINDS]);
export const RoleInDrive = Type.Enum([...DRIVE_ROLES]);

/** Who did something in a drive, or null. @param description when it is null */
export function AccountOrNull(description: string) {
  return Nullable(Type.Object({ accountId: Id, displayName: Type.String() }, { description }));
}

/** The query of a paged list. Convert it with `toPageRequest`, which limits both values. */
export const pageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  size: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: `larger values are reduced to ${MAX_PAGE_SIZE}`,
    }),
  ),
};

export function PageOf<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item, { maxItems: MAX_PAGE_SIZE }),
    total: Type.Integer(),
    page: Type.Integer(),
    size: Type.Integer(),
  });
}

/** Converts the items of a page. */
export function mapPage<From, To>(page: Page<From>, toItem: (item: From) => To) {
  return { ...page, items: page.items.map(toItem) };
}

/** Where and how a client sends the bytes of a prepared upload. */
export const UploadTarget = Type.Object({
  /**
   * Whether the URL belongs to the object store. Otherwise it belongs to this server and requires the bearer
   * token.
   */
  direct: Type.Boolean(),
  uploadUrl: Type.String(),
  method: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
  storageName: Nullable(Type.String()),
});
export type UploadTarget = Static<typeof UploadTarget>;

/** A part of a form with the bytes of a file. */
export const FileBytes = Type.String({ format: 'binary' });
