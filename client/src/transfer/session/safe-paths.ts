// Names come from another user's machine. On this one, files must stay below the chosen folder, their names
// must not disguise their type, and every file system must accept the names.

interface Named {
  readonly name: string;
  readonly relativePath: string | null;
}

/** More code units than any valid name has. */
const MAX_NAME_LENGTH = 1_024;
/** More code units than any path that the service accepts. */
const MAX_PATH_LENGTH = 8_192;
const MAX_LETTERS = 120;
const MAX_LEVELS = 20;
/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it searches for control characters.
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\ufffd]/g;
/** Characters that reorder letters, so that a program can look like a picture. */
const TURNING = /\p{Bidi_Control}/gu;

/** The path of each file: its folders and its name. No two are equal on any file system. */
export function toSafePaths(files: readonly Named[]): readonly (readonly string[])[] {
  const taken = new Map<string, 'file' | 'folder'>();
  const paths: (readonly string[])[] = [];
  for (const file of files) {
    const segments = segmentsOf(file).map(toSafeName);
    const name = segments.pop() ?? '_';
    const folders: string[] = [];
    for (const folder of segments) {
      folders.push(findFree(folders, folder, (place) => taken.get(place) !== 'file'));
      taken.set(placeOf(folders), 'folder');
    }
    const path = [...folders, findFree(folders, name, (place) => !taken.has(place))];
    taken.set(placeOf(path), 'file');
    paths.push(path);
  }
  return paths;
}

function segmentsOf({ name, relativePath }: Named): string[] {
  const segments = (relativePath ?? '').split('/').filter((segment) => !/^\.{0,2}$/.test(segment));
  // Some senders send only the folder, without the name.
  if (segments.at(-1) !== name) segments.push(name);
  return segments.slice(-MAX_LEVELS);
}

export function toSafeName(name: string): string {
  const normal = toNormalForm(name, MAX_NAME_LENGTH);
  const plain = normal.toWellFormed().replace(TURNING, '').replace(FORBIDDEN, '_');
  const { stem, ending } = splitName(plain.trim());
  const short = Array.from(stem).slice(0, MAX_LETTERS).join('') + ending;
  const safe = short.replace(/[. ]+$/, '').replace(/^ +/, '');
  if (safe === '') return '_';
  return DEVICE.test(safe) ? `_${safe}` : safe;
}

/** The name, or the first free `name (2).txt`. */
function findFree(folders: readonly string[], name: string, isFree: (place: string) => boolean): string {
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : numberName(name, count);
    if (isFree(placeOf([...folders, candidate]))) return candidate;
  }
}

export function numberName(name: string, count: number): string {
  const { stem, ending } = splitName(name);
  return `${stem} (${count})${ending}`;
}

function splitName(name: string): { stem: string; ending: string } {
  const dot = name.lastIndexOf('.');
  // Text of this length is not an extension.
  if (dot <= 0 || name.length - dot > 16) return { stem: name, ending: '' };
  return { stem: name.slice(0, dot), ending: name.slice(dot) };
}

/** Normalises only short text, because the time grows quadratically with a run of combining marks. */
function toNormalForm(text: string, mostUnits: number): string {
  return text.length > mostUnits ? text : text.normalize('NFC');
}

function placeOf(path: readonly string[]): string {
  return toNormalForm(path.join('/').toLowerCase(), MAX_PATH_LENGTH);
}
