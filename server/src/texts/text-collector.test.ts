// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TextLimitReached } from './no-text.ts';
import { joinPieces, MAX_TEXT_BYTES, TextCollector } from './text-collector.ts';

function collect(...pieces: readonly string[]): string {
  const out = new TextCollector();
  for (const piece of pieces) out.add(piece);
  return out.toUtf8().toString();
}

/** Collects a text that is longer than what is kept. */
function collectMuch(unit: string): string {
  const out = new TextCollector();
  assert.throws(() => out.add(unit.repeat(Math.ceil((4 * MAX_TEXT_BYTES) / unit.length))), TextLimitReached);
  return out.toUtf8().toString();
}

describe('a collected text', () => {
  for (const [what, text, expected] of [
    ['has single spaces', 'a  b \t c\u00a0\u3000d', 'a b c d'],
    ['has single line breaks', ' \n a \r\n\r\n b\u2028c\f\vd \n', 'a\nb\nc\nd'],
    ['has spaces instead of control characters', 'a\0b\x1b[1mc\x7fd', 'a b [1mc d'],
    ['has no marks of hits', '\ue000a\ue001b\ue002', 'ab\ue002'],
    ['has no soft hyphens', 'Donau\u00addampf', 'Donaudampf'],
    ['is well-formed', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
    ['is in NFC', 'Gro\u0308ße \u1112\u1161\u11ab', 'Größe 한'],
    ['keeps characters outside the basic plane', '𠮷野家 🎉', '𠮷野家 🎉'],
  ] as const) {
    test(what, () => assert.equal(collect(text), expected));
  }

  test('is the same if it arrives in pieces', () => {
    const text = ' a  \r\n\r\n b\u0308c 𠮷 \n'.repeat(20_000);
    const pieces = text.match(/[\s\S]{1,7}/g) ?? [];
    assert.equal(collect(...pieces), collect(text));
    assert.equal(collect(text).slice(0, 12), 'a\nb\u0308c 𠮷\na\nb');
  });

  test('can be published before its end', () => {
    const pieces: string[] = [];
    const out = new TextCollector((piece) => pieces.push(piece));
    for (const line of ['  one', ' line\r\n', '\n', 'Größe\n']) {
      out.add(line);
      out.publish();
      assert.ok('one line\nGröße'.startsWith(joinPieces(pieces).toString()));
    }
    assert.equal(joinPieces(pieces).toString(), 'one line\nGröße');
    assert.deepEqual(out.toUtf8(), joinPieces(pieces));
    assert.equal(joinPieces(['ö'.repeat(MAX_TEXT_BYTES)]).length, MAX_TEXT_BYTES);
  });

  test('has one separator, however many are added', () => {
    const out = new TextCollector();
    for (let count = 0; count < 200_000; count += 1) {
      out.space();
      out.lineBreak();
    }
    assert.equal(out.isEmpty, true);
    out.add('a');
    out.space();
    out.lineBreak();
    out.space();
    out.add('b');
    assert.equal(out.toUtf8().toString(), 'a\nb');
  });

  test('ends at 1 MiB, between two characters', () => {
    for (const unit of ['a ', '会', '🎉 ', 'ö\n']) {
      const text = collectMuch(unit);
      const size = Buffer.byteLength(text);
      assert.ok(size <= MAX_TEXT_BYTES && size > MAX_TEXT_BYTES - 8, `${size} bytes`);
      assert.equal(text, unit.repeat(text.length).slice(0, text.length));
    }
  });

  test('is cut although it has no end of a character and no space', () => {
    const text = collectMuch('\u0301');
    assert.ok(Buffer.byteLength(text) <= MAX_TEXT_BYTES);
    assert.ok(text.isWellFormed());
  });
});
