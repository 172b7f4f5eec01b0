/** A fault of an uploaded archive. The message is shown to the user. */
export class ZipFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ZipFault';
  }
}

const MAX_QUOTED_CHARACTERS = 120;

/** Quotes the name of an entry for a message: shortened and without control characters. */
export function quoteName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters.
  const clean = name.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '\ufffd');
  const characters = Array.from(clean);
  return `"${characters.length > MAX_QUOTED_CHARACTERS ? `${characters.slice(0, MAX_QUOTED_CHARACTERS).join('')}…` : clean}"`;
}
