/** What is wrong with an archive: it has too many or too large entries if it is excessive. */
export type ZipFaultKind = 'damaged' | 'encrypted' | 'excessive';

/** A fault of an uploaded archive. The message is shown to the user. */
export class ZipFault extends Error {
  readonly kind: ZipFaultKind;

  constructor(message: string, { kind = 'damaged', ...options }: ZipFaultOptions = {}) {
    super(message, options);
    this.name = 'ZipFault';
    this.kind = kind;
  }
}

interface ZipFaultOptions extends ErrorOptions {
  readonly kind?: ZipFaultKind;
}

const MAX_QUOTED_CHARACTERS = 120;

/** Quotes the name of an entry for a message: shortened and without control characters. */
export function quoteName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters.
  const clean = name.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '\ufffd');
  const characters = Array.from(clean);
  return `"${characters.length > MAX_QUOTED_CHARACTERS ? `${characters.slice(0, MAX_QUOTED_CHARACTERS).join('')}…` : clean}"`;
}
