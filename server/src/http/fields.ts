import { type Static, type TSchema, Type } from 'typebox';
import { MAX_PAGE_SIZE, type Page } from '../base/page.ts';

/** The schema, or null. Written as a list of types, which the serializer compiles to one branch. */
export function Nullable<T extends TSchema & { type: string }>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });
}

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** As text, in either case (RFC 9562, section 4). */
export const Uuid = Type.String({
  format: 'uuid',
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
});

/** ISO-8601 UTC with milliseconds and `Z`. */
export const Timestamp = Type.String({ description: 'ISO-8601, UTC, with milliseconds and Z' });

export const ByteCount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Query of a paged list. `page * size` stays in range because of `toPageRequest`. */
export const pageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  size: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: `above ${MAX_PAGE_SIZE}: cut`,
    }),
  ),
};

export function PageOf<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    total: Type.Integer(),
    page: Type.Integer(),
    size: Type.Integer(),
  });
}

/** A page of something else, by a function for one item. */
export function mapPage<From, To>(page: Page<From>, toItem: (item: From) => To) {
  return { ...page, items: page.items.map(toItem) };
}

/** Where the bytes of an announced upload go (specification, "Prepare response"). */
export const UploadTarget = Type.Object({
  /** Whether the address is the store's own; otherwise it is ours and wants the bearer token. */
  direct: Type.Boolean(),
  uploadUrl: Type.String(),
  method: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
  storageName: Nullable(Type.String()),
});
export type UploadTarget = Static<typeof UploadTarget>;
