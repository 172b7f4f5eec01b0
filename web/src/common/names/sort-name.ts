import * as accents from '../../../../server/src/base/text/names/accents.ts';
import { MAX_NAME_LENGTH, toNormalForm } from './normal-form.ts';

/*
 * The sort key of a name: a copy of `server/src/base/text/names/sort-name.ts`, which explains it. The client
 * needs it to find names in a list that is mostly not loaded. A test compares the two.
 */

const MAX_WEIGHTS = 300;

const SEPARATOR = ' ';
const PUNCTUATION = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$';
const FIRST_PUNCTUATION = 0x21;
const OTHER_SYMBOL = 'B';
/** Plus the number of digits, this is the letter that stands for a number's length: 'C' for one digit. */
const BEFORE_DIGITS = 0x42;
const MAX_LETTERED_DIGITS = 0x5f - BEFORE_DIGITS;
const MANY_DIGITS = '`';
/** Added to the number of digits: the character is then a letter for any count. */
const COUNT_OFFSET = 0x100;

/** Replaces `й` while accents are removed, because it is a separate letter although it can be decomposed. */
const SHORT_I = '\uf8f0';

/** A letter plus one of these sorts right after that letter. Higher than all letters of the basic plane. */
const AFTER = ['\uf8f1', '\uf8f2', '\uf8f3'] as const;
/** Letters that follow another one in alphabets, but not in Unicode. */
const ALPHABETS = [
  'аә',
  'гғ',
  'дђ',
  'еє',
  'жҗ',
  'зѕ',
  `иі${SHORT_I}ј`,
  'кқ',
  'лљ',
  'нңњ',
  'тћ',
  'уұү',
  'хһ',
  'чџ',
  'eə',
  'nŋ',
];
/** Letters that count as accented variants of another letter, but have no decomposition. */
const EQUAL_LETTERS = { ґ: 'г', ө: 'о', ς: 'σ' } as const;

/** Accents, voicing marks, and the vowel points of Arabic and Hebrew. */
const MARKS = /[\p{Script=Inherited}\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/gu;
const INVISIBLE = /[\p{Cc}\p{Cf}]/u;
const SYMBOL = /[\p{P}\p{S}\p{Z}]/u;
const DIGIT = /^\p{Nd}/u;
const DIGITS_OR_CHARACTER = /\p{Nd}+|./gsu;
const SMALL_HIRAGANA = 'ぁぃぅぇぉっゃゅょゎ';

const WEIGHTS: ReadonlyMap<string, string> = new Map([
  ...Array.from(PUNCTUATION, (character, rank): [string, string] => [
    character,
    String.fromCharCode(FIRST_PUNCTUATION + rank),
  ]),
  ...Array.from('abcdefghijklmnopqrstuvwxyz', (letter): [string, string] => [letter, letter]),
  ...ALPHABETS.flatMap(([letter = '', ...later]) =>
    later.map((other, rank): [string, string] => [other, `${letter}${AFTER[rank]}`]),
  ),
  ...Object.entries(EQUAL_LETTERS),
]);

/** The key by which the service sorts names, in the order of code points. */
export function toSortName(name: string): string {
  const folded = foldName(name).replaceAll('й', SHORT_I);
  const letters = toBareLetters(folded);
  const weights = joinWeights(listWeights(letters));
  return isSameText(letters, folded) ? weights : `${weights}${SEPARATOR}${folded}`;
}

/**
 * The common prefix of the keys of all names that begin with a text. It stops where these names may differ:
 * at a number, which may continue, and at `и`, which is also the plain form of `й`.
 * @param text folded or plain, as the beginnings of the names
 */
export function toSortPrefix(text: string): string {
  const [certain = ''] = text.split(/[ий]/, 1);
  const weights = listWeights(toBareLetters(certain));
  if (isNumber(weights.at(-1))) weights.pop();
  return joinWeights(weights);
}

/** Removes accents, and replaces full-width and other compatible forms with plain letters and digits. */
function toBareLetters(folded: string): string {
  const plain = withoutAccents(folded);
  const compatible = toNormalForm(plain, MAX_NAME_LENGTH, 'NFKD');
  return compatible.replace(MARKS, '').toLowerCase();
}

function isSameText(letters: string, folded: string): boolean {
  return letters === folded || toNormalForm(letters, MAX_NAME_LENGTH) === folded;
}

function listWeights(letters: string): string[] {
  return (letters.match(DIGITS_OR_CHARACTER) ?? []).map((part) =>
    DIGIT.test(part) ? toNumberWeight(part) : (WEIGHTS.get(part) ?? toCharacterWeight(part)),
  );
}

function toCharacterWeight(character: string): string {
  if (INVISIBLE.test(character)) return '';
  if (/\p{Z}/u.test(character)) return toPunctuationWeight(' ');
  if (/\p{Pd}/u.test(character)) return toPunctuationWeight('-');
  if (SYMBOL.test(character)) return `${OTHER_SYMBOL}${character}`;
  return toHiragana(character);
}

function toPunctuationWeight(character: string): string {
  return String.fromCharCode(FIRST_PUNCTUATION + PUNCTUATION.indexOf(character));
}

function toNumberWeight(text: string): string {
  const digits = Array.from(text, toDigit)
    .join('')
    .replace(/^0+(?=.)/, '');
  const { length } = digits;
  const count =
    length <= MAX_LETTERED_DIGITS
      ? String.fromCharCode(BEFORE_DIGITS + length)
      : `${MANY_DIGITS}${String.fromCharCode(COUNT_OFFSET + length)}`;
  return `${count}${digits}`;
}

function isNumber(weight: string | undefined): boolean {
  return weight !== undefined && /^[C-`]/.test(weight);
}

/** The value of a digit of any script: Unicode orders the digits of each script from 0 to 9. */
function toDigit(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0x39) return code - 0x30;
  let digit = 0;
  while (digit < 9 && DIGIT.test(String.fromCodePoint(code - digit - 1))) digit += 1;
  return digit;
}

/** Both Japanese syllabaries order their letters, including the small forms, in the same way. */
function toHiragana(character: string): string {
  const code = character.charCodeAt(0);
  const hiragana = code >= 0x30a1 && code <= 0x30f6 ? String.fromCharCode(code - 0x60) : character;
  return SMALL_HIRAGANA.includes(hiragana) ? String.fromCharCode(hiragana.charCodeAt(0) + 1) : hiragana;
}

/** Joins as many weights as fit. A weight is never cut. */
function joinWeights(weights: readonly string[]): string {
  let joined = '';
  for (const weight of weights) {
    if (joined.length + weight.length > MAX_WEIGHTS) break;
    joined += weight;
  }
  return joined;
}

/** The form in which the service compares names case-insensitively. */
export function foldName(name: string): string {
  return toNormalForm(name.toLowerCase().replaceAll('ς', 'σ'), MAX_NAME_LENGTH);
}

function withoutAccents(folded: string): string {
  return folded.length > MAX_NAME_LENGTH ? folded : accents.withoutAccents(folded);
}
