// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toPassage } from './passage.ts';

/** The parts of a passage, with the hits in brackets. */
function shown(snippet: string): string {
  const marked = snippet.replaceAll('[', '\ue000').replaceAll(']', '\ue001');
  return toPassage(marked)
    .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
    .join('');
}

test('a passage is split at its hits', () => {
  assert.equal(shown('The [rent] for [May] is due.'), 'The [rent] for [May] is due.');
  assert.equal(shown('[rent]'), '[rent]');
  assert.equal(shown('nothing marked'), 'nothing marked');
  assert.deepEqual(toPassage(''), []);
});

test('HTML in a passage stays text', () => {
  assert.deepEqual(toPassage('<b>\ue000rent\ue001</b>'), [
    { text: '<b>', isHit: false, at: 0 },
    { text: 'rent', isHit: true, at: 3 },
    { text: '</b>', isHit: false, at: 8 },
  ]);
});

test('a long text before the first hit is shortened to whole words', () => {
  const passage = shown(`${'many words come before the first hit '.repeat(3)}[rent] is due`);
  assert.equal(passage, '…many words come before the first hit [rent] is due');
});

test('a long text without spaces is not cut inside a character', () => {
  const passage = shown(`${'𠮷'.repeat(41)}x[房租]`);
  assert.equal(passage, `…${'𠮷'.repeat(19)}x[房租]`);
  assert.ok(passage.isWellFormed());
});

test('the text before the first hit stays if its only space is late', () => {
  const passage = shown(`${'房'.repeat(100)} 租[房租]`);
  assert.equal(passage, `…${'房'.repeat(38)} 租[房租]`);
});

test('a passage whose marks are incomplete is shown completely', () => {
  assert.equal(shown('a [b'), 'a [b]');
  assert.equal(shown('a [b] c] d'), 'a [b] c d');
});
