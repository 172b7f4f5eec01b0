/** What is wrong with an archive that somebody brought. The message is for that person. */
export class ZipFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ZipFault';
  }
}

const MOST_CHARACTERS = 120;

/** The name of an entry, fit for a message: archives name entries as they like. */
export function quoteName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
  const clean = name.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '\ufffd');
  const characters = Array.from(clean);
  return `"${characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS).join('')}…` : clean}"`;
}
