import { Failure } from '../failure.ts';
import { type FileName, toFileName } from './file-name.ts';

declare const brand: unique symbol;

/** An absolute, clean path inside a drive: `/` or `/docs/a.txt`. Made by {@link toLogicalPath} only. */
export type LogicalPath = string & { readonly [brand]: 'LogicalPath' };

export const ROOT_PATH = '/' as LogicalPath;

const MAX_PATH_BYTES = 4_096;
export const MAX_LEVELS = 128;

/**
 * Cleans a path that a caller sent: a missing leading `/` is added, one trailing `/` cut, repeated ones
 * folded; every segment must be a file name (contract, section 3). Percent signs mean themselves: decoding
 * happened once, in the URL parser, and never happens again.
 *
 * @throws Failure `invalid`
 */
export function toLogicalPath(text: string): LogicalPath {
  return joinPath(text.split('/').filter((segment) => segment !== ''));
}

/** @throws Failure `invalid` when a segment is no name or the whole is too long or too deep */
export function joinPath(segments: readonly string[]): LogicalPath {
  checkDepth(segments.length);
  const path = `/${segments.map(toFileName).join('/')}`;
  checkLength(path);
  return path as LogicalPath;
}

/** @throws Failure `invalid` when nothing may lie that many levels below the root */
export function checkDepth(levels: number): void {
  if (levels > MAX_LEVELS) {
    throw new Failure('invalid', `The path must not be deeper than ${MAX_LEVELS} levels.`);
  }
}

/** @throws Failure `invalid` when the path is longer than a caller may send */
export function checkLength(path: string): void {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new Failure('invalid', `The path must not be longer than ${MAX_PATH_BYTES} bytes.`);
  }
}

export function segmentsOf(path: LogicalPath): readonly FileName[] {
  return (path === '/' ? [] : path.slice(1).split('/')) as FileName[];
}

/** The directory that a path lies in; the root lies in itself. */
export function parentOf(path: LogicalPath): LogicalPath {
  return (path.slice(0, path.lastIndexOf('/')) || '/') as LogicalPath;
}

/** `directory/name`. No length check: the database may hold what a directory above it made long. */
export function childOf(directory: string, name: string): LogicalPath {
  return (directory === '/' ? `/${name}` : `${directory}/${name}`) as LogicalPath;
}
