import { Failure } from '../../base/failure.ts';
import { type FileName, MAX_NAME_LENGTH, toFileName } from '../../base/text/names/file-name.ts';
import { toNormalForm } from '../../base/text/names/normal-form.ts';

/** Counted in code points. */
const MAX_NAME_CHARACTERS = 64;

/** The name of a shared drive. It follows the rules of file names. @throws Failure `invalid` */
export function toDriveName(text: string): FileName {
  const name = toFileName(text);
  if ([...name].length <= MAX_NAME_CHARACTERS) return name;
  throw new Failure('invalid', `The name must not be longer than ${MAX_NAME_CHARACTERS} characters.`);
}

/**
 * Checks the name that a request repeats. It prevents deleting the wrong drive by mistake.
 * @throws Failure `rejected` unless the text is the name
 */
export function checkDriveName(name: string, text: string): void {
  if (toNormalForm(text, MAX_NAME_LENGTH) === name) return;
  throw new Failure('rejected', 'This is not the name of the drive.', { field: 'name' });
}
