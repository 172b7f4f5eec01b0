import { Failure } from '../../failure.ts';
import { type FileName, toFileName } from './file-name.ts';

declare const brand: unique symbol;

/**
 * An absolute, normalised path in a drive: `/` or `/docs/a.txt`. Only {@link toLogicalPath} makes one from
 * user input.
 */
export type LogicalPath = string & { readonly [brand]: 'LogicalPath' };

export const ROOT_PATH = '/' as LogicalPath;

const MAX_PATH_BYTES = 4_096;
/**
 * The maximum length of a path as it is sent, in code units. A path of 4,096 bytes has at most 6,144 before
 * it is normalised.
 */
export const MAX_PATH_LENGTH = 8_192;
export const MAX_LEVELS = 128;

/**
 * Normalises a path that a caller sent: adds a missing leading `/`, and removes trailing and repeated ones.
 * Every segment must be a valid file name. Percent signs are ordinary characters: the URL parser has decoded
 * them already, and decoding them twice would let `%252e` become a dot.
 *
 * @throws Failure `invalid`
 */
export function toLogicalPath(text: string): LogicalPath {
  if (text.length > MAX_PATH_LENGTH) throw tooLong();
  return joinPath(text.split('/').filter((segment) => segment !== ''));
}

/** @throws Failure `invalid` when a segment is not a valid name, or the path is too long or too deep */
export function joinPath(segments: readonly string[]): LogicalPath {
  checkDepth(segments.length);
  const path = `/${segments.map(toFileName).join('/')}`;
  checkLength(path);
  return path as LogicalPath;
}

/** @throws Failure `invalid` for more levels than an entry may be below the root */
export function checkDepth(levels: number): void {
  if (levels > MAX_LEVELS) {
    throw new Failure('invalid', `The path must not be deeper than ${MAX_LEVELS} levels.`);
  }
}

/** @throws Failure `invalid` for a path that is longer than a caller may send */
export function checkLength(path: string): void {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw tooLong();
}

function tooLong(): Failure {
  return new Failure('invalid', `The path must not be longer than ${MAX_PATH_BYTES} bytes.`);
}

export function segmentsOf(path: LogicalPath): readonly FileName[] {
  return (path === '/' ? [] : path.slice(1).split('/')) as FileName[];
}

/** The parent directory of a path; the root is its own parent. */
export function parentOf(path: LogicalPath): LogicalPath {
  return (path.slice(0, path.lastIndexOf('/')) || '/') as LogicalPath;
}

/**
 * `directory/name`, without a length check: renaming a directory can make the stored paths below it longer
 * than allowed.
 */
export function childOf(directory: string, name: string): LogicalPath {
  return (directory === '/' ? `/${name}` : `${directory}/${name}`) as LogicalPath;
}

export function isAtOrBelow(path: string, directory: string): boolean {
  return directory === ROOT_PATH || path === directory || path.startsWith(`${directory}/`);
}

/** @throws Failure `invalid` if the path of that name in that directory would be too long or too deep */
export function checkPathLimits(directoryPath: LogicalPath, name: string): void {
  checkDepth(segmentsOf(directoryPath).length + 1);
  checkLength(childOf(directoryPath, name));
}
