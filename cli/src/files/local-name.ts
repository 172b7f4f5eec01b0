/**
 * The name of a file on disk. A service that is not honest must not be able to write outside the directory
 * that the user has chosen.
 * @throws Error with a sentence for the user
 */
export function toLocalName(filename: string): string {
  if (filename === '' || filename === '.' || filename === '..' || /[/\\\0]/.test(filename)) {
    throw new Error(`The service sent a name that no file can have: ${JSON.stringify(filename)}`);
  }
  return filename;
}
