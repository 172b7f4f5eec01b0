// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { anyCharacter } from '../../../test/support/text/any-character.ts';
import { DavError } from '../dav-error.ts';
import { readLockInfo, readPropertyUpdate, readPropfind } from './bodies.ts';
import type { XmlElement } from './element.ts';
import { parseXml } from './read-xml.ts';
import { element, escapeXml, serialize } from './write-xml.ts';

const parse = (text: string) => parseXml(Buffer.from(text));

/** An element in comparable form: adjacent texts are joined. */
function normalize({ name, attributes, children }: XmlElement): unknown {
  const parts: unknown[] = [];
  for (const child of children) {
    const last = parts.at(-1);
    if (typeof child !== 'string') parts.push(normalize(child));
    else if (typeof last === 'string') parts[parts.length - 1] = last + child;
    else if (child !== '') parts.push(child);
  }
  const sorted = attributes.map((one) => `${one.name.namespace} ${one.name.local}=${one.value}`).sort();
  return { ...name, attributes: sorted, parts };
}

const local = fc.stringMatching(/^[A-Za-z_À-ÖØ-ö][\w.À-ÖØ-ö-]{0,8}$/).filter((name) => !/^xml/i.test(name));
const namespace = fc.constantFrom(
  '',
  'DAV:',
  'http://owncloud.org/ns',
  'urn:a',
  'http://b.example/?a=1&b="2"',
);
const text = fc.string({ unit: anyCharacter, maxLength: 20 }).filter((value) => isXmlText(value));
const { tree } = fc.letrec<{ tree: XmlElement }>((tie) => ({
  tree: fc.record({
    name: fc.record({ namespace, local }),
    attributes: fc.uniqueArray(fc.record({ name: fc.record({ namespace, local }), value: text }), {
      maxLength: 3,
      selector: ({ name }) => `${name.namespace} ${name.local}`,
    }),
    children: fc.array(fc.oneof({ maxDepth: 3 }, text, tie('tree')), { maxLength: 4 }),
  }),
}));

function isXmlText(value: string): boolean {
  return Array.from(value).every(isXmlCharacter);
}

/** XML 1.0, section 2.2. */
function isXmlCharacter(character: string): boolean {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x20) return point === 9 || point === 10 || point === 13;
  return point < 0xd800 || (point > 0xdfff && point !== 0xfffe && point !== 0xffff);
}

test('an element that is written and read again has the same names, attributes and content', () => {
  fc.assert(
    fc.property(tree, (written) => {
      const read = parse(
        `<root xmlns:D="DAV:" xmlns:oc="http://owncloud.org/ns">${serialize(written)}</root>`,
      );
      const [child] = read.children;
      assert.ok(child !== undefined && typeof child !== 'string');
      assert.deepEqual(normalize(child), normalize(written));
    }),
  );
});

test('any text can be the content of an element, and characters that XML cannot express are replaced', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), fc.string({ unit: anyCharacter }), (ascii, unicode) => {
      const value = `${ascii}${unicode}\ufffe\ud800`;
      const { children } = parse(element({ namespace: '', local: 'a' }, escapeXml(value)));
      const expected = Array.from(value, (one) => (isXmlCharacter(one) ? one : '\ufffd')).join('');
      assert.equal(children.join(''), expected);
    }),
  );
});

const REJECTED: readonly [string, number][] = [
  ['', 400],
  ['x', 400],
  ['<a>', 400],
  ['<a></b>', 400],
  ['<a/><b/>', 400],
  ['<a>&b;</a>', 400],
  ['<a>&#0;</a>', 400],
  ['<a>&#xd800;</a>', 400],
  ['<a b="1" b="2"/>', 400],
  ['<b:a/>', 400],
  ['<a xmlns:b=""/>', 400],
  ['<a>\u0001</a>', 400],
  ['<!DOCTYPE a><a/>', 403],
  ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 403],
  ['<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 403],
  ['<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1/x"> %p;]><a/>', 403],
  ['<a>'.repeat(33) + '</a>'.repeat(33), 400],
  [`<a>${'<b/>'.repeat(1_000)}</a>`, 413],
  [`<a ${Array.from({ length: 1_000 }, (_, index) => `b${index}=""`).join(' ')}/>`, 413],
];

for (const [body, status] of REJECTED) {
  test(`${JSON.stringify(body.slice(0, 50))} is rejected with ${status}`, () => {
    assert.throws(() => parse(body), { name: 'DavError', status });
  });
}

test('bytes that are not UTF-8 are rejected, and UTF-16 is read', () => {
  assert.throws(() => parseXml(Buffer.from([0x3c, 0x61, 0x3e, 0xff])), { status: 400 });
  const utf16 = Buffer.from('\ufeff<a>ä</a>', 'utf16le');
  assert.deepEqual(parseXml(utf16).children, ['ä']);
  assert.deepEqual(parseXml(Buffer.from(utf16).swap16()).children, ['ä']);
});

test('bodies in the encodings that old clients declare are read', () => {
  const declared = (encoding: string) => `<?xml version="1.0" encoding='${encoding}'?>\n<a>ä</a>`;
  for (const [body, encoding] of [
    [Buffer.from(declared('ISO-8859-1'), 'latin1'), 'latin1'],
    [Buffer.from(declared('windows-1252'), 'latin1'), 'windows-1252'],
    [Buffer.from(declared('US-ASCII')), 'ASCII that is UTF-8'],
    [Buffer.from(declared('utf-16')), 'UTF-8 that is declared as UTF-16'],
    [Buffer.from(declared('UTF-16LE'), 'utf16le'), 'UTF-16 without a mark'],
    [Buffer.from(declared('UTF-16BE'), 'utf16le').swap16(), 'UTF-16 without a mark, the other way round'],
    [Buffer.from(declared('unknown')), 'unknown'],
  ] as const) {
    assert.deepEqual(parseXml(body).children, ['ä'], encoding);
  }
  assert.throws(() => parseXml(Buffer.from(declared('us-ascii'), 'latin1')), { status: 400 });
  const hidden = '<?xml version="1.0" encoding="iso-8859-1"?><!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>';
  assert.throws(() => parseXml(Buffer.from(hidden)), { status: 403 });
  assert.throws(() => parseXml(Buffer.from(hidden, 'utf16le')), { status: 403 });
});

test('any bytes are either read or rejected, whichever body is expected', () => {
  const pieces = fc.constantFrom(
    ...[
      '<',
      '>',
      '/',
      '&',
      ';',
      '"',
      '=',
      ' ',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<?',
      '?>',
      '&#x41;',
      '&lt;',
    ],
    ...[
      '<propfind xmlns="DAV:">',
      '</propfind>',
      '<prop/>',
      '<allprop/>',
      '<lockinfo xmlns="DAV:">',
      'xmlns',
      '<!',
    ],
  );
  const soup = fc.array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 40 });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
    soup.map((parts) => Buffer.from(parts.join(''))),
  );
  fc.assert(
    fc.property(bytes, fc.constantFrom(readPropfind, readPropertyUpdate, readLockInfo), (body, read) => {
      try {
        read(body);
      } catch (error) {
        const isRejected = error instanceof DavError || (error instanceof Error && error.name === 'Failure');
        assert.ok(isRejected, String(error));
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a property keeps the language in scope', () => {
  const [update] = readPropertyUpdate(
    Buffer.from(
      '<propertyupdate xmlns="DAV:"><set xml:lang="de"><prop><a xmlns="urn:a">x</a></prop></set></propertyupdate>',
    ),
  );
  assert.ok(update?.value !== undefined);
  assert.equal(serialize(update.value), '<x:a xmlns:x="urn:a" xml:lang="de">x</x:a>');
});
