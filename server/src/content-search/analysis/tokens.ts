import { isAscii, withoutAccents } from '../../base/text/names/accents.ts';
import { toNormalForm } from '../../base/text/names/normal-form.ts';

// The web client shares this file, so it finds the same words in a file as the search.

/** A word, or a run of characters from a script without spaces between words. */
export interface Token {
  readonly kind: 'word' | 'run';
  /** The positions in the text, in code units. */
  readonly start: number;
  readonly end: number;
  /** Of a run that continues the run before: the code units at its start that repeat the end of that run. */
  readonly repeated: number;
}

/** Words count as equal if they are equal up to this length, in code units. */
export const MAX_WORD_LENGTH = 64;

/** Compatible forms are up to 18 times as long, and folding takes names of that length. */
const MAX_FORM_GROWTH = 18;
const MAX_FOLDED_UNITS = 2_000;
/** In characters, of which each has one or two code units. A longer run is read in several parts. */
const MAX_RUN_CHARACTERS = 55;

/**
 * Chinese, Japanese and Korean, and the scripts of South-East Asia that have no spaces either. Text in them
 * is found by its characters.
 */
const UNSPACED_SCRIPTS = ['Han', 'Hira', 'Kana', 'Bopo', 'Hang', 'Thai', 'Laoo', 'Khmr', 'Mymr']
  .map((script) => `\\p{scx=${script}}`)
  .join('');
/** Most of these characters. Each is also in one of the scripts, but is found faster here. */
const USUAL = '[\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9fff\\uac00-\\ud7a3]';
// Not with the set operations of the flag `v`, which older browsers do not know.
const UNSPACED = `(?=[${UNSPACED_SCRIPTS}])[\\p{L}\\p{N}\\p{M}]`;
/** A run continues after a line break, because lines of such texts end anywhere. Files have spaces there. */
const BREAK = '(?:\\u00ad|[^\\S\\n]{0,16}[\\n\\r\\f\\v\\u0085\\u2028\\u2029]\\s{0,64})';
const RUN = `(${UNSPACED}(?:${USUAL}|${UNSPACED}|${BREAK}${UNSPACED}){0,${MAX_RUN_CHARACTERS - 1}})`;
/** A word begins with a letter or a digit, and can have soft hyphens. */
const WORD_START = `(?:[0-9A-Za-z]|(?=[\\p{L}\\p{N}])[^${UNSPACED_SCRIPTS}])`;
const WORD_PART = `(?:[0-9A-Za-z]|(?=[\\p{L}\\p{N}\\p{M}\\u00ad])[^${UNSPACED_SCRIPTS}])`;
const WORD = `${WORD_START}${WORD_PART}{0,1023}`;

const TOKEN = new RegExp(`${WORD}|${RUN}`, 'gu');
const UNSPACED_HERE = new RegExp(`${BREAK}?${UNSPACED}`, 'uy');

/** Splits a text into its tokens, in order. Text in between is ignored. */
export function* readTokens(text: string): Generator<Token> {
  const pattern = new RegExp(TOKEN);
  /** Where the run before was cut. */
  let cutAt = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const start = found.index;
    const kind = found[1] === undefined ? 'word' : 'run';
    const isPart = kind === 'run' && isCut(text, found[0], pattern.lastIndex);
    // Not between a character and its marks.
    const end = isPart ? endOfCharacter(text, pattern.lastIndex) : pattern.lastIndex;
    yield { kind, start, end, repeated: Math.max(0, cutAt - start) };
    cutAt = isPart ? end : 0;
    if (isPart) pattern.lastIndex = startOfLastCharacter(text, start, end);
  }
}

/** Whether the run was ended only by its maximum length. */
function isCut(text: string, run: string, end: number): boolean {
  if (run.length < MAX_RUN_CHARACTERS || Array.from(withoutBreaks(run)).length < MAX_RUN_CHARACTERS) {
    return false;
  }
  UNSPACED_HERE.lastIndex = end;
  return UNSPACED_HERE.test(text);
}

const BREAKS = /[\s\u0085\u00ad]+/g;

function withoutBreaks(text: string): string {
  return text.replace(BREAKS, '');
}

const USUAL_RUN = new RegExp(`^${USUAL}*$`);
/** Letters that Korean syllables have after the first one, also the compatible ones. */
const LATER_JAMO =
  '\\u1160-\\u11ff\\ud7b0-\\ud7fb\\u3133\\u3135\\u3136\\u313a-\\u313f\\u314f-\\u3163\\uffa3-\\uffaf\\uffc2-\\uffdc';
/** What belongs to the character before it: marks, also of half width, and the second half of a pair. */
const CONTINUES = new RegExp(`[\\p{M}\\uff9e\\uff9f${LATER_JAMO}\\udc00-\\udfff]`, 'u');
const MAX_PIECE = 90;
const MAX_MARKS = 16;

/** A run of any length, or a part of one, in the form in which it is found. */
export function foldRun(run: string): string {
  if (USUAL_RUN.test(run)) return run;
  const text = withoutBreaks(run);
  let folded = '';
  for (let at = 0; at < text.length; ) {
    const end = endOfCharacter(text, Math.min(at + MAX_PIECE, text.length));
    folded += fold(text.slice(at, end));
    at = end;
  }
  return folded;
}

/** Where the character ends that a position is in. More marks are not looked at: folding them takes long. */
function endOfCharacter(text: string, position: number): number {
  let end = position;
  while (end < text.length && end < position + MAX_MARKS && CONTINUES.test(text[end] ?? '')) end += 1;
  return end;
}

/** Where the last character begins of a part of a run. */
export function startOfLastCharacter(run: string, start: number, end: number): number {
  let position = end - 1;
  while (position > start && position > end - MAX_MARKS && CONTINUES.test(run[position] ?? '')) position -= 1;
  return Math.max(start, position);
}

/** A folded run, and for each of its code units, which part of the run it comes from. */
export function locateRun(run: string) {
  const [starts, ends]: [number[], number[]] = [[], []];
  let folded = '';
  for (let at = 0; at < run.length; ) {
    const end = endOfCharacter(run, at + 1);
    const form = foldRun(run.slice(at, end));
    for (let unit = 0; unit < form.length; unit += 1) {
      starts.push(at);
      ends.push(end);
    }
    folded += form;
    at = end;
  }
  return { folded, starts, ends };
}

/** Marks of vowels and the like, which many writers leave out, and the line that stretches Arabic words. */
const OPTIONAL_MARKS = /[\p{Script=Inherited}\u0640\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/gu;
const NO_WORD = /[^\p{L}\p{N}\p{M}]/gu;

/** Arabic letters that many writers replace by another: alef with hamza or madda, alef maqsura, teh marbuta. */
const ARABIC_FORMS: Readonly<Record<string, string>> = {
  '\u0622': '\u0627',
  '\u0623': '\u0627',
  '\u0625': '\u0627',
  '\u0671': '\u0627',
  '\u0649': '\u064a',
  '\u0629': '\u0647',
};
const ARABIC_FORM = new RegExp(`[${Object.keys(ARABIC_FORMS).join('')}]`, 'g');

/** The form in which a text of at most 111 units is found: without case, accents and forms such as full width. */
function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const compatible = toNormalForm(text, MAX_FOLDED_UNITS / MAX_FORM_GROWTH, 'NFKC') ?? '';
  const lower = compatible.toLowerCase().replaceAll('ς', 'σ');
  return withoutAccents(lower)
    .replace(ARABIC_FORM, (letter) => ARABIC_FORMS[letter] ?? letter)
    .replace(OPTIONAL_MARKS, '')
    .replace(NO_WORD, '');
}

/** The term of a word; empty if nothing of it is left. */
export function foldWord(text: string): string {
  if (text.length <= MAX_WORD_LENGTH) return fold(text);
  // Not in the middle of a surrogate pair.
  return fold(text.slice(0, MAX_WORD_LENGTH).replace(/[\ud800-\udbff]$/, ''));
}
