import { type Static, type TSchema, Type } from 'typebox';

/** The body of every successful response (`docs/api.md`). */
interface Success<T> {
  readonly code: 0;
  readonly msg: 'success';
  readonly data: T;
}

export function success<T>(data: T): Success<T> {
  return { code: 0, msg: 'success', data };
}

/** The body of a successful response without data: `data` is null. */
export const NOTHING = success(null);

export const ErrorEnvelope = Type.Object({
  code: Type.Integer(),
  msg: Type.String(),
  data: Type.Null(),
});
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;

/**
 * The `response` schemas of a route whose `data` has the given shape. The serializer writes only members of
 * the schema, so undeclared members cannot leak.
 */
export function enveloped<T extends TSchema>(data: T) {
  return {
    200: Type.Object({ code: Type.Literal(0), msg: Type.Literal('success'), data }),
    '4xx': ErrorEnvelope,
    '5xx': ErrorEnvelope,
  };
}

/** The body of an error whose `data` tells the caller what the next step needs. */
export function errorEnvelopeWith<T extends TSchema>(data: T) {
  return Type.Object({ code: Type.Integer(), msg: Type.String(), data });
}

/** The `response` schemas of a route without data. */
export const envelopedNothing = enveloped(Type.Null());
