import {
  MAX_NAME_BYTES,
  shortenName,
  toClosestFileName,
} from '../../../../server/src/base/text/names/file-name.ts';
import { parseNumberedName } from '../../../../server/src/base/text/names/numbered-name.ts';
import { joinPath, nameOf, parentOf } from './path-map.ts';

/** The path for the second content of a conflict: `letter (conflict 2026-11-23).pdf`. */
export function findConflictPath(path: string, now: Date, isTaken: (path: string) => boolean): string {
  const name = nameOf(path);
  const { extension } = parseNumberedName(toClosestFileName(name));
  const stem = name.endsWith(extension) ? name.slice(0, name.length - extension.length) : name;
  const pad = (value: number) => String(value).padStart(2, '0');
  const date = `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
  for (let number = 1; ; number += 1) {
    const ending = ` (conflict ${date}${number === 1 ? '' : ` ${number}`})${extension}`;
    const room = MAX_NAME_BYTES - Buffer.byteLength(ending);
    const candidate = joinPath(parentOf(path), `${shortenName(stem, room)}${ending}`);
    if (!isTaken(candidate)) return candidate;
  }
}
