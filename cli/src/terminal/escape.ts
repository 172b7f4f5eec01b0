/** Escapes a UTF-16 code unit as JSON does, in ASCII. */
function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A quoted name in ASCII, so that names that look the same can be told apart. */
export function quoteInAscii(name: string): string {
  return JSON.stringify(name).replace(/[^ -~]/g, escapeUnit);
}

/** JSON in one line, escaped so that no name can control the terminal or reorder the line. */
export function toJsonLine(value: object): string {
  return JSON.stringify(value).replaceAll(/\p{Cc}|\p{Bidi_Control}/gu, escapeUnit);
}
