// Mutations that turn a valid request into an odd one.
import type { Draft, FormPart } from './draft.ts';
import type { DraftContext } from './drafts.ts';
import { encodeTarget } from './encoding.ts';
import type { Schema } from './operations.ts';
import { borderValues } from './schema-values.ts';

type Mutation = (draft: Draft, context: DraftContext) => void;

const ODD_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

const CONTENT_TYPES = [
  ...[
    'application/json',
    'application/json; charset=utf-16',
    'application/json;',
    'text/plain',
    'application/xml',
  ],
  ...['application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/form-data; boundary=', ''],
  ...[
    'multipart/form-data; boundary=fuzz-boundary-7f3a',
    'application/octet-stream',
    'application/merge-patch+json',
  ],
  ...[
    'application/offset+octet-stream',
    '*/*',
    ';',
    'multipart/form-data; boundary="\xff"',
    'APPLICATION/JSON',
  ],
];

/** Pieces of a URL that a correct client never sends. */
const ADDRESS_PIECES = [
  ...[
    '%',
    '%0',
    '%00',
    '%ff',
    '%c0%ae',
    '%ed%a0%80',
    '%f4%90%80%80',
    '..%2f',
    '%2e%2e/',
    '//',
    ';',
    '#',
    '?',
    '&',
  ],
  ...[
    '\xff',
    '\x01',
    '\x7f',
    ' ',
    '\\',
    '|',
    '^',
    '{',
    '[',
    '*',
    ':',
    '+',
    '?a=b?c',
    '&&&',
    '=',
    '?=',
    '?%00=%00',
  ],
  ...[
    '/.',
    '/..',
    '/../',
    '/%2e',
    '.json',
    '~',
    '@',
    '!',
    "'",
    '"',
    '<',
    '%u0041',
    '?path[]=a',
    '?path=a&path=b',
  ],
];

const HEADER_NAMES = [
  ...['range', 'if-range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'accept'],
  ...[
    'accept-encoding',
    'accept-language',
    'content-encoding',
    'content-language',
    'cookie',
    'origin',
    'referer',
  ],
  ...['x-service-client', 'x-service-client-id', 'x-service-device', 'x-share-password', 'x-transfer-token'],
  'last-event-id',
  ...['x-http-method-override', 'x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'x-request-id', 'via'],
  ...[
    'tus-resumable',
    'upload-length',
    'upload-offset',
    'upload-metadata',
    'upload-checksum',
    'upload-concat',
  ],
  ...[
    'upload-defer-length',
    'access-control-request-method',
    'access-control-request-headers',
    'if',
    'depth',
  ],
  ...[
    'content-disposition',
    'expect',
    'upgrade-insecure-requests',
    'te',
    'authorization',
    'host',
    'content-type',
  ],
];

const HEADER_VALUES = [
  ...[
    '',
    '0',
    '-1',
    '1',
    '99999999999999999999',
    'bytes=0-',
    'bytes=-1',
    'bytes=5-2',
    'bytes=0-0,2-3',
    'bytes=x-',
  ],
  ...[
    'bytes=0-99999999999999999999',
    '*',
    '"x"',
    'W/"x"',
    '"x", "y"',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'yesterday',
  ],
  ...[
    'mobile',
    'MOBILE',
    'desktop, mobile',
    'gzip',
    'identity;q=0',
    'null',
    'http://127.0.0.1:1',
    '1.0.0',
    '2.0.0',
  ],
  ...[
    'filename',
    'filename =',
    'filename ZQ==',
    'filename ZQ==,filename ZQ==',
    'filename AA==',
    ',',
    ' ',
    'sha1 x',
  ],
  ...[
    'sha1 2jmj7l5rSw0yVb/vlWAYkK/YBwk=',
    'partial',
    'final;/a /b',
    'PATCH',
    'DELETE',
    'BREW',
    'a=b',
    'a=b; a=c',
  ],
  ...[
    'Bearer',
    'Bearer x',
    'Bearer a.b.c',
    'Basic YTpi',
    'bearer  ',
    '\xff\xfe',
    'é',
    '127.0.0.1',
    '::1, 1.2.3.4',
  ],
];

/** A mutation that is listed several times is chosen more often. */
const MUTATIONS: readonly Mutation[] = [
  ...[changeParameter, changeParameter, changeBody, changeBody, changeBody, changeHeader, changeHeader],
  ...[repeatQuery, dropSomething, addUnknown, changeContentType, distortBody, changeMethod, changeAddress],
  changeTransfer,
];

/**
 * Applies up to three mutations. Often none, so that requests succeed and the service's state keeps growing.
 */
export function mutate(draft: Draft, context: DraftContext): void {
  const { random } = context;
  const count = random.chance(35) ? 0 : random.pick([1, 1, 1, 2, 3]);
  for (let done = 0; done < count; done += 1) random.pick(MUTATIONS)(draft, context);
}

function changeParameter(draft: Draft, context: DraftContext): void {
  const { random } = context;
  const parameters = draft.operation.parameters;
  if (parameters.length === 0) {
    changeHeader(draft, context);
    return;
  }
  const { in: place, name, schema } = random.pick(parameters);
  const value = toText(oddValue(schema, context));
  if (place === 'path') draft.path = { ...draft.path, [name]: value };
  // Not the time of a long poll, because the service would wait that long.
  else if (name !== 'waitSeconds' || !/^\d+$/.test(value)) {
    draft.query = [...draft.query.filter(([other]) => other !== name), [name, value]];
  }
}

function changeBody(draft: Draft, context: DraftContext): void {
  const { body } = draft;
  if (body === undefined) changeParameter(draft, context);
  else if (body.kind === 'json') {
    const schema = draft.operation.bodies['application/json'] ?? {};
    draft.body = { kind: 'json', value: changeJson(body.value, schema, context) };
  } else if (body.kind === 'form') draft.body = { kind: 'form', parts: changeParts(body.parts, context) };
  else if (body.kind === 'bytes') {
    draft.body = { ...body, bytes: context.random.bytes(context.random.below(100)) };
  }
}

/** Replaces one value anywhere in the JSON. */
function changeJson(value: unknown, schema: Schema, context: DraftContext): unknown {
  const { random } = context;
  if (typeof value !== 'object' || value === null || random.chance(5)) return oddValue(schema, context);
  const members = Object.entries(value);
  if (members.length === 0) return oddValue(schema, context);
  const [name, old] = random.pick(members);
  const changed = changeJson(old, schema.properties?.[name] ?? schema.items ?? {}, context);
  return Array.isArray(value)
    ? value.map((item, index) => (`${index}` === name ? changed : item))
    : { ...value, [name]: changed };
}

function changeParts(parts: readonly FormPart[], context: DraftContext): readonly FormPart[] {
  const { random, odd } = context;
  if (parts.length === 0) return [{ name: odd.text(), content: odd.text() }];
  const index = random.below(parts.length);
  const change = random.pick([
    (part: FormPart) => ({ ...part, fileName: odd.text() }),
    (part: FormPart) => ({ ...part, contentType: odd.text().replaceAll(/[\r\n]/g, '') }),
    (part: FormPart) => ({ ...part, content: odd.text() }),
    (part: FormPart) => ({ ...part, name: odd.text() }),
  ]);
  const changed = parts.map((part, at) => (at === index ? change(part) : part));
  return random.chance(20) ? [...changed, ...parts] : changed;
}

function changeHeader(draft: Draft, { random, odd }: DraftContext): void {
  // No line breaks: they would start another request, whose response no one expects.
  const value = random.chance(70) ? random.pick(HEADER_VALUES) : toLatin1(odd.text());
  draft.headers = [...draft.headers, [random.pick(HEADER_NAMES), value]];
}

function repeatQuery(draft: Draft, context: DraftContext): void {
  const { random, odd } = context;
  const [name] =
    draft.query.length === 0 ? [random.pick(['path', 'page', 'token'])] : random.pick(draft.query);
  const other = random.pick([name, `${name}[]`, `${name}[a]`, name.toUpperCase()]);
  draft.query = [...draft.query, [other, odd.text()]];
}

function dropSomething(draft: Draft, { random }: DraftContext): void {
  const { body } = draft;
  if (body?.kind === 'json' && typeof body.value === 'object' && body.value !== null) {
    const members = Object.entries(body.value);
    const index = random.below(members.length + 1);
    draft.body = { kind: 'json', value: Object.fromEntries(members.filter((_, at) => at !== index)) };
  } else if (draft.query.length > 0) draft.query = draft.query.slice(1);
  else draft.body = undefined;
}

function addUnknown(draft: Draft, { random, odd }: DraftContext): void {
  const { body } = draft;
  if (body?.kind === 'json' && typeof body.value === 'object' && body.value !== null) {
    draft.body = { kind: 'json', value: { ...body.value, [odd.text()]: odd.json() } };
  } else if (body === undefined && random.chance(50)) draft.body = { kind: 'json', value: odd.json() };
  else draft.query = [...draft.query, [odd.text(), odd.text()]];
}

function changeContentType(draft: Draft, { random }: DraftContext): void {
  draft.headers = [...draft.headers, ['content-type', random.pick(CONTENT_TYPES)]];
  draft.body ??= { kind: 'bytes', contentType: undefined, bytes: random.bytes(20) };
}

function distortBody(draft: Draft, { random }: DraftContext): void {
  draft.distort = random.pick([
    (body: Buffer) => body.subarray(0, random.below(body.byteLength + 1)),
    (body: Buffer) => Buffer.concat([Buffer.from('\ufeff'), body]),
    (body: Buffer) => Buffer.concat([body, random.bytes(5)]),
    (body: Buffer) => Buffer.from(body.toString('latin1').replace('"', '\xff"'), 'latin1'),
    (body: Buffer) => Buffer.from(body.toString().replace(/"(\w+)":/, '"$1":1,"$1":')),
    (body: Buffer) => Buffer.from(body.toString().replace(/:("[^"]*"|\d+)/, ':1e999')),
    (body: Buffer) => Buffer.from(body.toString().replace(/"([^"]*)"\}/, '"\\ud800\\u0000$1"}')),
    () => Buffer.from('['.repeat(50_000)),
    () => Buffer.from(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
    () => Buffer.from(`[${'1,'.repeat(50_000)}1]`),
    (body: Buffer) => Buffer.from(body.toString(), 'utf16le'),
  ]);
}

function changeMethod(draft: Draft, { random }: DraftContext): void {
  draft.method = random.pick(ODD_METHODS);
}

function changeAddress(draft: Draft, { random, odd }: DraftContext): void {
  const target = encodeTarget(draft);
  const at = random.between(1, target.length);
  const piece = random.chance(80)
    ? random.pick(ADDRESS_PIECES)
    : Buffer.from(odd.text().replaceAll(/[\r\n ]/g, '')).toString('latin1');
  draft.rawTarget = target.slice(0, at) + piece + (random.chance(50) ? target.slice(at) : '');
}

function changeTransfer(draft: Draft, { random }: DraftContext): void {
  if (random.chance(50)) draft.isChunked = true;
  else draft.headers = [...draft.headers, ['content-encoding', random.pick(['gzip', 'br', 'identity'])]];
}

function oddValue(schema: Schema, { random, odd, known }: DraftContext): unknown {
  const borders = borderValues(schema);
  if (borders.length > 0 && random.chance(30)) return random.pick(borders);
  return random.pick([
    () => odd.text(),
    () => odd.text(),
    () => odd.number(),
    () => odd.json(),
    () => known.findAny() ?? odd.text(),
    () => random.pick([null, true, false, '', [], {}]),
  ])();
}

function toText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : `${value}`;
}

function toLatin1(text: string): string {
  return Buffer.from(text.replaceAll(/[\r\n]/g, '')).toString('latin1');
}

/** All mutations, for tests that apply each one. */
export const ALL_MUTATIONS: readonly Mutation[] = [...new Set(MUTATIONS)];
