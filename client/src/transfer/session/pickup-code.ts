import { SEPARATOR, toCapitals, toHalfWidth } from '../encryption/secret.ts';

/** The characters of a code. Those that look alike are left out. */
const SYMBOLS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_LENGTH = 6;

export interface TypedCode {
  /** The characters that can be part of a code: at most six, in upper case. */
  readonly code: string;
  /** The characters before its end that no code contains, each once. */
  readonly strange: readonly string[];
  /** The text after the code, without separators around it: the secret of an encrypted transfer. */
  readonly rest: string;
}

/**
 * Reads a code as typed or pasted: in any case, with separators anywhere, with a secret after a dash or `#`,
 * or as a whole link.
 */
export function readTypedCode(sent: string): TypedCode {
  const text = toHalfWidth(sent);
  const [, inLink = text, fragment] = /\/(?:transfer|t)\/([^/?#\s]+)[^#\s]*(?:#(\S*))?/.exec(text) ?? [];
  const symbols = Array.from(toCapitals(inLink));
  const strange = new Set<string>();
  let code = '';
  let read = 0;
  for (; read < symbols.length && code.length < CODE_LENGTH; read += 1) {
    const symbol = symbols[read] ?? '';
    if (SYMBOLS.includes(symbol)) code += symbol;
    else if (!SEPARATOR.test(symbol)) strange.add(symbol);
  }
  const rest = fragment ?? symbols.slice(read).join('');
  return { code, strange: [...strange], rest: trimSeparators(rest) };
}

function trimSeparators(text: string): string {
  const symbols = Array.from(text);
  const isSymbol = (one: string) => !SEPARATOR.test(one);
  return symbols
    .slice(Math.max(0, symbols.findIndex(isSymbol)), symbols.findLastIndex(isSymbol) + 1)
    .join('');
}

export function isWholeCode({ code, strange }: TypedCode): boolean {
  return code.length === CODE_LENGTH && strange.length === 0;
}

/** Formats a code in two groups: `ABC 234`. */
export function groupCode(code: string): string {
  return code.length > 3 ? `${code.slice(0, 3)} ${code.slice(3)}` : code;
}

/** Spells a code letter by letter, so that a screen reader does not read it as a word. */
export function spellCode(code: string): string {
  return Array.from(code)
    .join(' ')
    .replace(/^(\S \S \S) /, '$1, ');
}
