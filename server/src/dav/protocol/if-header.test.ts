// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { Failure } from '../../base/failure.ts';
import { type IfList, isFulfilled, parseIfHeader, submittedTokens } from './if-header.ts';

const locked = { etag: '"5-7"', tokens: new Set(['urn:uuid:1']) };
const free = { etag: undefined, tokens: new Set<string>() };

/**
 * Whether the header is fulfilled if the request's address has a locked file, and all other addresses have
 * nothing.
 */
function isFulfilledBy(header: string): boolean {
  return isFulfilled(parseIfHeader(header), (resource) => (resource === undefined ? locked : free));
}

const CASES: readonly [string, boolean][] = [
  ['(<urn:uuid:1>)', true],
  ['(<urn:uuid:2>)', false],
  ['(<urn:uuid:1> ["5-7"])', true],
  ['(<urn:uuid:1> ["5-8"])', false],
  ['(["5-7"])', true],
  ['([W/"5-7"])', true],
  ['(["5-7-gzip"])', true],
  ['(["5-7"-gzip])', true],
  ['([5-7])', true],
  ['([W/"5-8"])', false],
  ['(["5-7-rot13"])', false],
  ['(Not [W/"5-7"])', false],
  ['(["*"])', false],
  ['([*])', false],
  ['(Not <urn:uuid:2>)', true],
  ['(Not <urn:uuid:1>)', false],
  ['(<urn:uuid:1>)(<urn:uuid:2>)', true],
  ['(<urn:uuid:2>) (Not <DAV:no-lock>)', true],
  ['(<urn:uuid:1> Not <DAV:no-lock> ["5-7"])', true],
  ['(not<urn:uuid:2>["5-7"])', true],
  ['</dav/other> (<urn:uuid:1>)', false],
  ['</dav/other> (Not <urn:uuid:1>)', true],
  ['</dav/a> (<urn:uuid:1>) (Not ["x"]) </dav/b> (["5-7"])', true],
];

for (const [header, expected] of CASES) {
  test(`${header} is ${expected ? '' : 'not '}fulfilled`, () => {
    assert.equal(isFulfilledBy(header), expected);
  });
}

test('every token of the header counts as submitted', () => {
  const lists = parseIfHeader('</a> (<t:1> Not <t:2>) (["e"]) </b> (<t:3>)');
  assert.deepEqual([...submittedTokens(lists)], ['t:1', 't:2', 't:3']);
});

const MALFORMED = [
  '',
  ' ',
  'x',
  '()',
  '(',
  '(<urn:uuid:1>',
  '(<urn:uuid:1>) x',
  '<urn:uuid:1>',
  '</a>',
  '(<a b>)',
  '([])',
  '([5 7])',
  '(Not)',
  '(NotX <t:1>)',
  '(<t:1>) </a> (<t:1>)',
  '(<t:1>), (<t:2>)',
  `(${'<t:1>'.repeat(101)})`,
  `(<${'t'.repeat(9_000)}>)`,
];

for (const header of MALFORMED) {
  test(`${JSON.stringify(header.slice(0, 40))} is malformed`, () => {
    assert.throws(() => parseIfHeader(header), { name: 'Failure', kind: 'invalid' });
  });
}

const url = fc.stringMatching(/^[a-z]+:[!-;=?-~]{1,20}$/);
const condition = fc.boolean().chain((isNegated) =>
  fc.oneof(
    url.map((token) => ({ isNegated, token })),
    fc.stringMatching(/^"[!#-~]{0,10}"$/).map((etag) => ({ isNegated, etag })),
  ),
);
const conditions = fc.array(condition, { minLength: 1, maxLength: 5 });
const header = fc.oneof(
  fc
    .array(conditions, { minLength: 1, maxLength: 4 })
    .map((lists) => lists.map((list): IfList => ({ resource: undefined, conditions: list }))),
  fc.array(fc.record({ resource: url, conditions }, { noNullPrototype: true }), {
    minLength: 1,
    maxLength: 4,
  }),
);

function write(lists: readonly IfList[]): string {
  return lists
    .map(({ resource, conditions: list }) => {
      const texts = list.map((one) => {
        const what = 'token' in one ? `<${one.token}>` : `[${one.etag}]`;
        return one.isNegated ? `Not ${what}` : what;
      });
      return `${resource === undefined ? '' : `<${resource}> `}(${texts.join(' ')})`;
    })
    .join(' ');
}

test('a header that follows the grammar is read correctly', () => {
  fc.assert(fc.property(header, (lists) => assert.deepEqual(parseIfHeader(write(lists)), lists)));
});

test('any text is either read or rejected, and a long one takes little time', inFull, () => {
  const piece = fc.constantFrom(
    '(',
    ')',
    '<',
    '>',
    '[',
    ']',
    '"',
    'Not',
    ' ',
    '/a',
    'W/',
    '<t:1>',
    '["e"]',
    '\t',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 500 }).map((pieces) => pieces.join('')),
  );
  const started = process.hrtime.bigint();
  fc.assert(
    fc.property(text, (value) => {
      try {
        assert.ok(parseIfHeader(value).length > 0);
      } catch (error) {
        assert.ok(error instanceof Failure && error.kind === 'invalid');
      }
    }),
    { numRuns: 500 },
  );
  for (const hostile of [' '.repeat(8_192), '('.repeat(8_192), '(Not '.repeat(1_600), '<a>('.repeat(2_000)]) {
    assert.throws(() => parseIfHeader(hostile), { kind: 'invalid' });
  }
  assert.ok(process.hrtime.bigint() - started < 20_000_000_000n);
});
