/** The characters of a code, without those that look alike. */
const SYMBOLS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
export const CODE_LENGTH = 6;

export interface TypedCode {
  /** The characters that can be part of a code: at most six, in upper case. */
  readonly code: string;
  /** The characters that no code contains, each once. */
  readonly strange: readonly string[];
}

/** Reads a code as typed or pasted: in any case, with blanks and dashes, or as a whole link. */
export function readTypedCode(text: string): TypedCode {
  const typed = (/\/transfer\/([^/?#\s]+)/.exec(text)?.[1] ?? text).replaceAll(/[\s\p{Pd}]/gu, '');
  const symbols = Array.from(typed.toUpperCase());
  return {
    code: symbols
      .filter((symbol) => SYMBOLS.includes(symbol))
      .slice(0, CODE_LENGTH)
      .join(''),
    strange: [...new Set(symbols.filter((symbol) => !SYMBOLS.includes(symbol)))],
  };
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
