import { toFileName } from '../../../src/base/text/names/file-name.ts';

export function isFileName(text: string): boolean {
  try {
    return toFileName(text) !== '';
  } catch {
    return false;
  }
}
