// Guesses the encoding of a few short names. Detectors for texts need hundreds of characters, and do not know
// the code pages of MS-DOS. So each encoding is tried, and the most plausible text wins.

import { Turns } from '../../base/concurrency/turns.ts';
import { decodeText, type Encoding } from './encodings.ts';
import { COMMON, SCRIPTS, type Script } from './scripts.ts';

/** In the order of preference, for texts that are equally plausible. */
const CANDIDATES: readonly (readonly [Encoding, Script])[] = [
  ['cp437', 'latin'],
  ['windows-1252', 'latin'],
  ['cp850', 'latin'],
  ['gb18030', 'chinese'],
  ['big5', 'chinese'],
  ['shift_jis', 'japanese'],
  ['euc-kr', 'korean'],
  ['euc-jp', 'japanese'],
  ['ibm866', 'cyrillic'],
  ['windows-1251', 'cyrillic'],
  ['koi8-r', 'cyrillic'],
  ['cp852', 'central'],
  ['windows-1250', 'central'],
  ['windows-1254', 'turkish'],
  ['windows-1253', 'greek'],
  ['windows-1255', 'hebrew'],
  ['windows-1256', 'arabic'],
  ['windows-874', 'thai'],
];

/** More bytes make the guess no better. */
const MAX_BYTES = 8 * 1_024;

/** The most plausible encoding of names that are not UTF-8. */
export async function guessEncoding(names: Iterable<Uint8Array>): Promise<Encoding> {
  const bytes = sampleOf(names);
  const turns = new Turns();
  let best: Encoding = 'cp437';
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const [encoding, script] of CANDIDATES) {
    if (turns.isOver()) await turns.next();
    const score = scoreOf(decodeText(bytes, encoding), script);
    if (score > bestScore) [best, bestScore] = [encoding, score];
  }
  return best;
}

/** Each name of a directory once, although it is in the path of everything below it. */
function sampleOf(names: Iterable<Uint8Array>): Buffer {
  const pieces = new Set<string>();
  let length = 0;
  for (const name of names) {
    for (const piece of Buffer.from(name.subarray(0, 512)).toString('latin1').split('/')) {
      if (length >= MAX_BYTES) break;
      if (!pieces.has(piece)) length += piece.length + 1;
      pieces.add(piece);
    }
    if (length >= MAX_BYTES) break;
  }
  return Buffer.from([...pieces].join('\n'), 'latin1');
}

/** The weight of characters that no name of this encoding has. */
const IMPOSSIBLE = -20;
const UNUSUAL = -3;

/** Most of the letters of these encodings are those of the western ones. */
const RARE = -0.5;

function scoreOf(text: string, script: Script): number {
  const { letters, width } = SCRIPTS[script];
  const common = COMMON[script];
  let score = script === 'central' || script === 'turkish' ? RARE : 0;
  let previous = '';
  for (const character of text) {
    if (character > '\u007f') {
      if (!isPossible(character)) score += IMPOSSIBLE;
      else if (letters.test(character)) {
        score +=
          (common.has(character.toLowerCase()) ? 1.5 : 0.5) * width + joinScore(previous, character, script);
      } else score += PUNCTUATION.test(character) ? 0.2 : UNUSUAL;
    } else if (previous > '\u007f' && script !== 'latin' && isMixed(previous, character, script)) {
      score -= 1.5;
    }
    previous = character;
  }
  return score;
}

// Dashes, quotation marks and signs that people write in names.
const PUNCTUATION = /[–—‘’“”…€£§©®°·«»№½¼¾²³、。〈-】（）！，－：；？～［］｛｝＆＋]/u;

function isPossible(character: string): boolean {
  return !/[\ufffd\u0080-\u009f\p{Co}\p{Cn}]/u.test(character);
}

function isMixed(one: string, other: string, script: Script): boolean {
  const { letters, isLatin } = SCRIPTS[script];
  return !isLatin && letters.test(one) && /[a-z]/i.test(other);
}

/**
 * Letters of other scripts are hardly ever next to ASCII letters. Capitals hardly ever follow small letters,
 * and Latin letters with accents seldom follow each other.
 */
function joinScore(previous: string, character: string, script: Script): number {
  const { letters, isLatin } = SCRIPTS[script];
  if (isMixed(character, previous, script)) return -1.5;
  if (character !== character.toLowerCase() && previous !== previous.toUpperCase()) return -1.5;
  return isLatin && letters.test(previous) ? -0.7 : 0;
}
