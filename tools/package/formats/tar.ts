// Archives in the ustar format (POSIX.1-1988), which every tar and dpkg reads. The same files give the same
// bytes: entries are sorted, all belong to root, and all have one time.
import type { PackedFile } from './packed-file.ts';

const BLOCK = 512;
const MAX_NAME_BYTES = 100;
const MAX_PREFIX_BYTES = 155;

/** The types of entries that we write and read. */
const FILE = '0';
const DIRECTORY = '5';
/** Two records of extended headers, of which only `path` is read. */
const PAX_HEADER = 'x';

/**
 * @param modifiedAt of every entry, in seconds
 * @param directories that contain no file, without a slash at the end
 * @throws Error for a path that does not fit
 */
export function writeTar(
  files: readonly PackedFile[],
  modifiedAt: number,
  directories: readonly string[] = [],
): Buffer {
  const entries = [
    ...[
      ...new Set([...directories, ...files.map((file) => file.path)].flatMap(parentsOf).concat(directories)),
    ].map((path) => ({ path: `${path}/`, type: DIRECTORY, mode: 0o755, bytes: Buffer.alloc(0) })),
    ...files.map(({ path, bytes, isExecutable = false, mode }) => ({
      path,
      type: FILE,
      mode: mode ?? (isExecutable ? 0o755 : 0o644),
      bytes,
    })),
  ].sort((one, other) => (one.path < other.path ? -1 : 1));
  const parts = entries.flatMap(({ bytes, ...entry }) => [
    toHeader({ ...entry, size: bytes.byteLength, modifiedAt }),
    bytes,
    Buffer.alloc(paddingOf(bytes.byteLength)),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/** The files of an archive by their paths. Other entries are left out. @throws Error for a damaged archive */
export function readTar(archive: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  let longPath: string | undefined;
  for (let at = 0; at + BLOCK <= archive.byteLength && archive[at] !== 0; ) {
    const header = archive.subarray(at, at + BLOCK);
    if (readNumber(header, 148, 8) !== checksumOf(header)) throw new Error('The archive is damaged.');
    const size = readNumber(header, 124, 12);
    const bytes = archive.subarray(at + BLOCK, at + BLOCK + size);
    if (bytes.byteLength < size) throw new Error('The archive is cut off.');
    const type = String.fromCharCode(header[156] || FILE.charCodeAt(0));
    if (type === FILE) files.set(longPath ?? readPath(header), bytes);
    longPath = type === PAX_HEADER ? /\d+ path=([^\n]+)\n/.exec(bytes.toString())?.[1] : undefined;
    at += BLOCK + size + paddingOf(size);
  }
  return files;
}

function toHeader(entry: {
  path: string;
  type: string;
  mode: number;
  size: number;
  modifiedAt: number;
}): Buffer {
  const header = Buffer.alloc(BLOCK);
  const { name, prefix } = splitPath(entry.path);
  header.write(name, 0);
  writeNumber(header, 100, 8, entry.mode);
  writeNumber(header, 108, 8, 0);
  writeNumber(header, 116, 8, 0);
  writeNumber(header, 124, 12, entry.size);
  writeNumber(header, 136, 12, entry.modifiedAt);
  header.write(entry.type, 156);
  header.write('ustar\x0000', 257, 'latin1');
  header.write('root', 265);
  header.write('root', 297);
  header.write(prefix, 345);
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

function splitPath(path: string): { name: string; prefix: string } {
  if (Buffer.byteLength(path) <= MAX_NAME_BYTES) return { name: path, prefix: '' };
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)];
    if (Buffer.byteLength(prefix) > MAX_PREFIX_BYTES) break;
    if (name !== '' && Buffer.byteLength(name) <= MAX_NAME_BYTES) return { name, prefix };
  }
  throw new Error(`The path is too long for the archive: ${path}`);
}

function readPath(header: Buffer): string {
  const [name, prefix] = [readText(header, 0, MAX_NAME_BYTES), readText(header, 345, MAX_PREFIX_BYTES)];
  return prefix === '' ? name : `${prefix}/${name}`;
}

function readText(header: Buffer, at: number, length: number): string {
  return header.toString('utf8', at, at + length).replace(/\0.*$/s, '');
}

function writeNumber(header: Buffer, at: number, length: number, value: number): void {
  header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
}

function readNumber(header: Buffer, at: number, length: number): number {
  return Number.parseInt(readText(header, at, length).trim() || '0', 8);
}

/** The sum of all bytes of the header, with blanks in place of the sum itself. */
function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}

function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function parentsOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
