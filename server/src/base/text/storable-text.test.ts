// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { hasStorableEscapes, isStorableText, isStorableUtf8, parseStorableJson } from './storable-text.ts';

test('text without NUL and lone surrogates is storable', () => {
  for (const text of ['', 'a', '\u0001', '\u{1f600}', '\ufffd', '\uffff'])
    assert.equal(isStorableText(text), true);
  for (const text of ['\0', 'a\0b', '\ud800', '\udc00a', '\ude00\ud83d']) {
    assert.equal(isStorableText(text), false, JSON.stringify(text));
  }
});

test('bytes are storable exactly if they are the UTF-8 of storable text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 8 }), (bytes) => {
      const text = Buffer.from(bytes).toString();
      const isSame = Buffer.from(text).equals(bytes);
      assert.equal(isStorableUtf8(bytes), isSame && isStorableText(text));
    }),
  );
});

for (const json of [
  '"\\u0000"',
  '"a\\ud800b"',
  '"\\uDC00"',
  '{"a":{"b":["c",{"d":"\\u0000"}]}}',
  '{"a\\uD83d":1}',
  '["\\ude00\\ud83d"]',
]) {
  test(`JSON with text that cannot be stored is recognised: ${json}`, () =>
    assert.equal(parseStorableJson(json), undefined));
}

for (const json of [
  '"\\ud83d\\ude00"',
  '"\\\\u0000"',
  '"\\\\ud800"',
  '{"a":null,"b":[1,true,"\\u0001"]}',
  '0',
]) {
  test(`JSON with escapes of other characters is accepted: ${json}`, () =>
    assert.deepEqual(parseStorableJson(json), { value: JSON.parse(json) }));
}

test('text that is not JSON is an error', () => assert.throws(() => parseStorableJson('{'), SyntaxError));

test('any JSON value passes exactly if all text in it is storable', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\\', '\0', '\ud800', '\udc00', 'é') });
  const value = fc.letrec((tie) => ({
    value: fc.oneof(text, fc.array(tie('value')), fc.dictionary(text, tie('value'))),
  })).value;
  fc.assert(
    fc.property(value, (sent) => {
      const texts: string[] = [];
      const json = JSON.stringify(sent, (name, part) => {
        texts.push(name, ...(typeof part === 'string' ? [part] : []));
        return part;
      });
      assert.equal(parseStorableJson(json) !== undefined, texts.every(isStorableText), json);
    }),
  );
});

test('JSON of a megabyte is checked quickly, however deep or wide it is', () => {
  for (const json of [
    `["\\u0000",${'['.repeat(250_000)}${']'.repeat(250_000)}]`,
    `["\\u0000",${'{},'.repeat(300_000)}1]`,
    `["\\u0000"${',"\\ud83d\\ude00"'.repeat(60_000)}]`,
  ]) {
    // CPU time, because other processes may use the cores.
    const before = process.cpuUsage();
    assert.equal(parseStorableJson(json), undefined);
    assert.ok(process.cpuUsage(before).user < 1_000_000);
  }
});

test('escapes are storable exactly if they decode to storable text', () => {
  for (const text of [
    '',
    'a=b&c',
    '%41',
    'a%2Fb',
    '%c3%a9',
    '%F0%9F%98%80',
    '100%',
    '%zz',
    '%',
    '%4',
    '%%41',
  ]) {
    assert.equal(hasStorableEscapes(text), true, text);
  }
  for (const text of [
    '%00',
    'a=%00',
    '%ff',
    '%c3',
    '%c3&%a9',
    '%C3=%A9',
    '%ed%a0%80',
    '%c0%80',
    'a%80',
    '%%00',
  ]) {
    assert.equal(hasStorableEscapes(text), false, text);
  }
});

test('escapes decode as in the parser of queries and forms', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('%', '0', '4', 'c', '3', 'a', '9', 'F', '&') }), (text) => {
      const decoded = [...new URLSearchParams(text)].flat().join('');
      // No text in this test has U+FFFD itself, so the parser has put it there.
      assert.equal(hasStorableEscapes(text), isStorableText(decoded) && !decoded.includes('\ufffd'));
    }),
    { numRuns: 2_000 },
  );
});
