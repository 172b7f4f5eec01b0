import type { Operation } from './operations.ts';

/** Who sends a request. */
export const ROLES = ['anonymous', 'member', 'other member', 'moderator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export interface FormPart {
  readonly name: string;
  /** Set if the part is a file. */
  readonly fileName?: string;
  readonly contentType?: string;
  readonly content: string | Buffer;
}

export type DraftBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly parts: readonly FormPart[] }
  | { readonly kind: 'fields'; readonly fields: readonly (readonly [string, string])[] }
  | { readonly kind: 'bytes'; readonly contentType: string | undefined; readonly bytes: Buffer };

/** A request before it is encoded as bytes. Mutations replace its parts. */
export interface Draft {
  readonly operation: Operation;
  readonly role: Role;
  method: string;
  /** The values of path parameters, not yet encoded. */
  path: Record<string, string>;
  query: (readonly [string, string])[];
  headers: (readonly [string, string])[];
  body: DraftBody | undefined;
  /** Replaces the address that is built from `path` and `query`: bytes as Latin-1. */
  rawTarget?: string;
  /** Changes the bytes of the encoded body. */
  distort?: (body: Buffer) => Buffer;
  /** Sends the body in chunks without a length. */
  isChunked?: boolean;
}
