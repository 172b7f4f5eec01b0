import { withoutAccents } from './accents.ts';
import { foldName } from './file-name.ts';

/**
 * The form of a name for finding it by words, without regard to case and accents: `é` is `e`, `ß` is `ss`.
 *
 * @throws Failure `invalid` for text that is longer than names can be
 */
export function toPlainName(name: string): string {
  return withoutAccents(foldName(name));
}
