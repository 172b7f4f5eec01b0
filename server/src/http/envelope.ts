import { type Static, type TSchema, Type } from 'typebox';

/** What every success says (specification, "Response envelope"). */
export interface Success<T> {
  readonly code: 0;
  readonly msg: 'success';
  readonly data: T;
}

export function success<T>(data: T): Success<T> {
  return { code: 0, msg: 'success', data };
}

/** For calls that have nothing to say: `data` is null. */
export const NOTHING = success(null);

export const ErrorEnvelope = Type.Object({
  code: Type.Integer(),
  msg: Type.String(),
  data: Type.Null(),
});
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;

/**
 * The `response` of a route whose `data` has the given shape. The serializer writes the members of the schema
 * and no others, so what is not declared cannot leak.
 */
export function enveloped<T extends TSchema>(data: T) {
  return {
    200: Type.Object({ code: Type.Literal(0), msg: Type.Literal('success'), data }),
    '4xx': ErrorEnvelope,
    '5xx': ErrorEnvelope,
  };
}

/** The `response` of a route with nothing to say. */
export const envelopedNothing = enveloped(Type.Null());
