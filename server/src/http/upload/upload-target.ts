import { type Static, Type } from 'typebox';
import { Nullable } from './fields.ts';

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
