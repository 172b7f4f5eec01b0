/** A UTF-16 unit as JSON can write it in ASCII. */
function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A name in quotes and in ASCII, which tells names apart that look the same. */
export function quoteInAscii(name: string): string {
  return JSON.stringify(name).replace(/[^ -~]/g, escapeUnit);
}

/** JSON in which no name can change the terminal, or the order in which it shows the line. */
export function toJsonLine(value: object): string {
  return JSON.stringify(value).replaceAll(/\p{Cc}|\p{Bidi_Control}/gu, escapeUnit);
}
