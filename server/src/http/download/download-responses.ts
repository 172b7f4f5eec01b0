import { type TSchema, Type } from 'typebox';
import { ErrorEnvelope, enveloped } from '../envelope.ts';

const bytes = { '*/*': { schema: Type.String({ format: 'binary' }) } };

/** A response without a body. */
const nothing = (description: string) => Type.Null({ description });

/** The `response` schemas of a route that sends an envelope or a file. */
export function envelopedOrFile<T extends TSchema>(data: T) {
  const { 200: envelope, ...errors } = enveloped(data);
  const content = { 'application/json': { schema: envelope }, ...bytes };
  return {
    200: { description: 'the envelope, or the bytes of the file', content },
    ...partialResponses,
    ...errors,
  };
}

/** The statuses besides 200 with which a file is answered (RFC 9110, sections 13 to 15). */
const partialResponses = {
  206: { description: 'the requested range', content: bytes },
  304: nothing('the copy of the client is current'),
  412: nothing('a precondition failed'),
  416: nothing('the range begins behind the end of the file'),
};

/** The `response` schemas of a route that sends a file. They only describe it; bytes are sent unchanged. */
export const downloadResponses = {
  200: { description: 'the bytes of the file', content: bytes },
  ...partialResponses,
  '4xx': ErrorEnvelope,
  '5xx': ErrorEnvelope,
};

/** For routes that may redirect the client to the object store. */
export const redirectResponse = { 302: nothing('the bytes are at this address, for a short time') };
