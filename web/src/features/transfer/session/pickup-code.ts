/** Without those that look like others. */
const SYMBOLS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
export const CODE_LENGTH = 6;

export interface TypedCode {
  /** What of it can be in a code: at most six, in capitals. */
  readonly code: string;
  /** What no code has in it, each once. */
  readonly strange: readonly string[];
}

/** A code as people type or paste it: in any case, with blanks and dashes, or the whole link. */
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

/** In two groups, as it is read best: `ABC 234`. */
export function groupCode(code: string): string {
  return code.length > 3 ? `${code.slice(0, 3)} ${code.slice(3)}` : code;
}

/** Letter by letter, so that a screen reader does not try to make a word of it. */
export function spellCode(code: string): string {
  return Array.from(code)
    .join(' ')
    .replace(/^(\S \S \S) /, '$1, ');
}
