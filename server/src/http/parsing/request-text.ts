import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../base/failure.ts';
import { hasMoreValues } from '../../base/text/json.ts';
import {
  hasStorableEscapes,
  isStorableText,
  isStorableUtf8,
  parseStorableJson,
} from '../../base/text/storable-text.ts';

/*
 * All text of requests must be well-formed Unicode without NUL. Other text is rejected here, at the edge,
 * because the databases do not treat it alike. Headers need no check: Node accepts no NUL in them, and
 * decodes them as Latin-1, which has no surrogates. Values that are encoded in a header are checked where
 * they are decoded.
 */

/**
 * Parsing blocks the event loop. A megabyte of small values would take a tenth of a second. The largest
 * useful body announces 1,000 files.
 */
const MAX_JSON_VALUES = 30_000;
const MAX_FORM_FIELDS = 1_000;

/** Checks the path and the query of every request. Bodies are checked by their parsers. */
export function checkTextOfUrls(server: FastifyInstance): void {
  server.addHook('preValidation', (request, _reply, done) => {
    if (request.is404 || hasStorableUrl(request)) done();
    else done(unstorableText('The address'));
  });
}

function hasStorableUrl({ url, params }: FastifyRequest): boolean {
  // The router has decoded the parameters, and has rejected escapes that are not UTF-8.
  for (const text of Object.values(params as Record<string, unknown>)) {
    if (typeof text === 'string' && !isStorableText(text)) return false;
  }
  const query = url.indexOf('?');
  return query < 0 || hasStorableEscapes(url.slice(query + 1));
}

/** Parses a JSON body. @throws Failure `invalid` */
export function parseJson(bytes: Buffer): unknown {
  // Some clients send the content type without a body.
  if (bytes.length === 0) return undefined;
  if (hasMoreValues(bytes, MAX_JSON_VALUES)) {
    throw new Failure('invalid', `The body must not have more than ${MAX_JSON_VALUES} values.`);
  }
  if (!isStorableUtf8(bytes)) throw unstorableText('The body');
  let parsed: { readonly value: unknown } | undefined;
  try {
    parsed = parseStorableJson(bytes.toString());
  } catch (error) {
    throw new Failure('invalid', 'The body is not valid JSON.', { cause: error });
  }
  if (parsed === undefined) throw unstorableText('The body');
  return parsed.value;
}

/** Parses a URL-encoded form. @throws Failure `invalid` */
export function parseForm(bytes: Buffer): Record<string, string> {
  const text = bytes.toString();
  if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS) {
    throw new Failure('invalid', `The form must not have more than ${MAX_FORM_FIELDS} fields.`);
  }
  if (!isStorableUtf8(bytes) || !hasStorableEscapes(text)) throw unstorableText('The form');
  // Unescaped characters are encoded first: Node's parser treats them as single bytes if the text has a
  // percent sign that begins no escape.
  const ascii = text.replace(/[^\0-\x7f]+/g, encodeURIComponent);
  return Object.fromEntries(new URLSearchParams(ascii));
}

/** Decodes UTF-8. @throws Failure `invalid` */
export function decodeText(where: string, bytes: Buffer): string {
  if (!isStorableUtf8(bytes)) throw unstorableText(where);
  return bytes.toString();
}

function unstorableText(where: string): Failure {
  return new Failure('invalid', `${where} contains text that is not valid Unicode, or a NUL character.`);
}
