import { Failure } from '../../base/failure.ts';
import { type FileName, toFileName } from '../../base/text/names/file-name.ts';

/** Counted in code points. */
const MAX_NAME_CHARACTERS = 64;

/** The name of a shared drive. It follows the rules of file names. @throws Failure `invalid` */
export function toDriveName(text: string): FileName {
  const name = toFileName(text);
  if ([...name].length <= MAX_NAME_CHARACTERS) return name;
  throw new Failure('invalid', `The name must not be longer than ${MAX_NAME_CHARACTERS} characters.`);
}
