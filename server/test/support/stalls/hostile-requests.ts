// The largest hostile requests that the limits of the service let in, for any operation.
import type { Draft } from '../../../../tools/fuzz/requests/draft.ts';
import { encodeText } from '../../../../tools/fuzz/requests/encoding.ts';
import type { Operation, Schema } from '../../../../tools/fuzz/requests/operations.ts';
import { typesOf } from '../../../../tools/fuzz/requests/schema-values.ts';

/** The limit of a JSON body, less some room for the other members. */
const BODY_BYTES = 1024 ** 2 - 4_096;

/** How many objects are nested. */
const NESTING_DEPTH = Math.floor(BODY_BYTES / 6);

/** Node's limit for the request line and all headers together, less some room for the others. */
const HEAD_BYTES = 16 * 1024 - 2_048;

/** The longest value of a path parameter. */
const PARAMETER_LENGTH = 512;

/** Texts to repeat to any length. Each has made some program take quadratic time. */
const UNITS: Readonly<Record<string, string>> = {
  'combining marks': '\u0301\u0323',
  'directories above': '/..',
  'levels of directories': '/a',
  blanks: ' \t',
  'dots and dashes': 'a.-_@',
  'characters of four bytes': '𝒳',
};

interface HostileRequest {
  /** Names the position and kind of the hostile text. */
  readonly name: string;
  readonly draft: Draft;
}

/** Chooses which hostile bodies to try, because each has a mebibyte. */
export type ChooseBodies = <T>(all: readonly T[]) => readonly T[];

/** @param draftValid returns a valid request for the operation, one part of which is replaced */
export function* listHostileRequests(
  operation: Operation,
  draftValid: () => Draft,
  choose: ChooseBodies,
): Generator<HostileRequest> {
  for (const { in: place, name } of operation.parameters) {
    for (const [what, unit] of Object.entries(UNITS)) {
      const draft = draftValid();
      if (place === 'path') draft.path = { ...draft.path, [name]: fill(unit, PARAMETER_LENGTH, lengthOf) };
      else
        draft.query = [
          ...draft.query.filter(([other]) => other !== name),
          [name, fill(unit, HEAD_BYTES, encodedLengthOf)],
        ];
      yield { name: `${name} in the ${place} of ${what}`, draft };
    }
  }
  yield* listHostileBodies(operation, draftValid, choose);
  yield* listHostileHeaders(draftValid);
}

function* listHostileBodies(
  { bodies }: Operation,
  draftValid: () => Draft,
  choose: ChooseBodies,
): Generator<HostileRequest> {
  const schema = bodies['application/json'];
  if (schema !== undefined) {
    const valid = draftValid();
    const value = valid.body?.kind === 'json' ? valid.body.value : {};
    for (const member of textMembersOf(schema)) {
      for (const [what, text] of choose(LARGE_TEXTS)) {
        const body = { kind: 'json', value: { ...(value as object), [member]: text } } as const;
        yield { name: `${member} of ${what}`, draft: { ...draftValid(), body } };
      }
    }
    for (const [what, bytes] of choose(JSON_BODIES)) {
      const body = { kind: 'bytes', contentType: 'application/json', bytes } as const;
      yield { name: what, draft: { ...draftValid(), body } };
    }
  }
  if (bodies['multipart/form-data'] !== undefined) yield* listHostileForms(draftValid);
}

const LARGE_TEXTS = Object.entries(UNITS).map(
  ([what, unit]) => [what, fill(unit, BODY_BYTES, Buffer.byteLength)] as const,
);

const JSON_BODIES = Object.entries({
  'an array in an array, and so on': '['.repeat(BODY_BYTES),
  'an object in an object, and so on': `${'{"a":'.repeat(NESTING_DEPTH)}1${'}'.repeat(NESTING_DEPTH)}`,
  'a long array': `[${'1,'.repeat(BODY_BYTES / 2 - 2)}1]`,
  'a long list of files': `{"mode":"ONLINE","files":[${'{"size":1},'.repeat(BODY_BYTES / 12)}{}]}`,
  'an object of many members': `{${membersOf(BODY_BYTES)}"last":1}`,
}).map(([what, text]) => [what, Buffer.from(text)] as const);

function* listHostileForms(draftValid: () => Draft): Generator<HostileRequest> {
  const file = { name: 'file', content: 'x' };
  const forms = {
    'many fields': Array.from({ length: 60 }, (_, index) => ({
      name: `f${index}`,
      content: 'x'.repeat(65_000),
    })),
    'many files': Array.from({ length: 1_000 }, () => ({ ...file, fileName: 'a' })),
    'a long type': [{ ...file, fileName: 'a', contentType: fill('; a=b', 70_000, lengthOf) }],
    ...Object.fromEntries(
      Object.entries(UNITS).flatMap(([what, unit]) => [
        [`a file name of ${what}`, [{ ...file, fileName: fill(unit, 60_000, Buffer.byteLength) }]],
        [
          `a path of ${what}`,
          [
            { name: 'path', content: fill(unit, 64_000, Buffer.byteLength) },
            { ...file, fileName: 'a' },
          ],
        ],
      ]),
    ),
  };
  for (const [what, parts] of Object.entries(forms)) {
    yield { name: `a form with ${what}`, draft: { ...draftValid(), body: { kind: 'form', parts } } };
  }
}

const HEADERS: Readonly<Record<string, string>> = {
  accept: 'a/b;q=0.1,',
  'accept-encoding': 'gzip;q=0.1,',
  'accept-language': 'en-US;q=0.1,',
  authorization: 'Bearer a.',
  cookie: 'a=b; ',
  'content-type': 'multipart/form-data; boundary=a; ',
  'if-none-match': '"x", ',
  'if-match': 'W/"x",',
  'if-range': '"x"',
  range: 'bytes=0-0,1-1,',
  origin: 'http://a',
  'x-forwarded-for': '1.2.3.4, ',
  'x-service-client-id': 'e\u0301',
  'x-share-password': 'e\u0301',
  'x-transfer-token': 'a',
  'upload-metadata': 'a ZQ==,',
  'upload-checksum': 'sha1 a=',
  'upload-length': '1',
};

function* listHostileHeaders(draftValid: () => Draft): Generator<HostileRequest> {
  for (const [name, unit] of Object.entries(HEADERS)) {
    const draft = draftValid();
    const value = Buffer.from(fill(unit, HEAD_BYTES, Buffer.byteLength)).toString('latin1');
    yield {
      name: `a long header ${name}`,
      draft: { ...draft, headers: [...draft.headers.filter(([other]) => other !== name), [name, value]] },
    };
  }
}

function textMembersOf({ properties = {}, anyOf = [] }: Schema): readonly string[] {
  const own = Object.entries(properties).filter(([, schema]) => typesOf(schema).includes('string'));
  return [...own.map(([name]) => name), ...anyOf.flatMap(textMembersOf)];
}

/** Repeats the unit as often as it fits. */
function fill(unit: string, limit: number, measure: (text: string) => number): string {
  return `a${unit.repeat(Math.floor((limit - 1) / measure(unit)))}`;
}

function lengthOf(text: string): number {
  return text.length;
}

function encodedLengthOf(text: string): number {
  return encodeText(text).length;
}

function membersOf(bytes: number): string {
  return Array.from({ length: Math.floor(bytes / 14) }, (_, index) => `"m${index}":1,`).join('');
}
