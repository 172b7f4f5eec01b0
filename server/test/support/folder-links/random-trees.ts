// Random trees around a linked directory, and random spellings of paths in them.
import { fc } from '../../../../tools/testing/fast-check.ts';

/** A directory: its entries by name. A string is the content of a file. */
export type Tree = ReadonlyMap<string, Tree | string>;

/** What a path in a tree leads to: a directory, the content of a file, or nothing. */
export type Found = Tree | string | undefined;

/** The linked directory and its siblings. */
export interface LinkedTree {
  /** The name of the linked directory. */
  readonly name: string;
  readonly linked: Tree;
  /** The names of its sibling directories. They contain the same paths as the linked one. */
  readonly siblings: readonly string[];
}

const LETTERS = [
  ...['a', 'A', 'b', '.', '..', '...', ' ', '-', '~', '+', '&', '#', '?', ';', '='],
  ...['%', '%2e', '%2E%2e', '%2f', '%5c', '%25', '%00', '%c3%a9'],
  // Composed and decomposed letters, lookalikes of dots and slashes, and invisible characters.
  ...['\u00e9', 'e\u0301', '\u1e9e', '\u00df', '\u212b', '\u00c5', '\u65e5', '\u{1f4c1}'],
  ...['\u2024', '\uff0e', '\u2215', '\uff0f', '\u200b', '\u202e'],
];

/** Valid names, as they are stored. */
const name = fc
  .array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 4 })
  .map((letters) => letters.join('').normalize('NFC'))
  .filter((text) => text.trim() !== '' && text !== '.' && text !== '..');

/** Trees that share a few names, so the same path leads to something in many of them. */
function treeOf(names: readonly string[], depth: number): fc.Arbitrary<Tree> {
  const file = fc.nat().map((number) => `inside ${number}`);
  const child = depth === 0 ? file : fc.oneof(file, treeOf(names, depth - 1));
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), child), { selector: ([key]) => key, maxLength: 3 })
    .map((children) => new Map(children));
}

/** Names easily mistaken for `own`: prefixes, extensions, other cases, encoded and trimmed forms. */
function similarNamesOf(own: string): readonly string[] {
  const similar = [
    ...[own.slice(0, -1), `${own}2`, `${own} `, ` ${own}`, `${own}.`, `.${own}`, own + own],
    ...[own.toUpperCase(), own.toLowerCase(), encodeURIComponent(own), own.normalize('NFKC')],
  ].map((text) => text.normalize('NFC'));
  return [...new Set(similar)].filter(
    (text) => text.isWellFormed() && text !== own && !['.', '..'].includes(text.trim()) && isName(text),
  );
}

export const linkedTrees: fc.Arbitrary<LinkedTree> = fc
  .uniqueArray(name, { minLength: 2, maxLength: 4 })
  .chain((names) =>
    fc.record({
      name: fc.constantFrom(...names),
      linked: treeOf(names, 2),
      others: fc.constant(names),
      chosen: fc.array(fc.nat(), { minLength: 2, maxLength: 3 }),
    }),
  )
  .map(({ name: own, linked, others, chosen }) => {
    const similar = [...similarNamesOf(own), ...others.filter((other) => other !== own)];
    const siblings = chosen.flatMap((index) => similar[index % similar.length] ?? []);
    return { name: own, linked, siblings: [...new Set(siblings)] };
  });

const SEPARATORS = ['/', '/', '/', '//', '/./', '\\', '%2f', '%5c', '/../', '/\u200b/', '\u2215'];
const STARTS = ['', '/', '/', '//', './', '../', '/../', '..\\', '%2e%2e/', '%2e%2e%2f', '..%2f', '..;/'];
const ENDS = ['', '', '', '/', '//', '/.', '/..', '\\', '%00', '\0', ' ', '.'];

/** Ways to change one name of a path. */
const FORMS = {
  asItIs: (text: string) => text,
  decomposed: (text: string) => text.normalize('NFD'),
  compatible: (text: string) => text.normalize('NFKD'),
  upperCase: (text: string) => text.toUpperCase(),
  lowerCase: (text: string) => text.toLowerCase(),
  encoded: (text: string) => encodeURIComponent(text),
  encodedDots: (text: string) => text.replaceAll('.', '%2e'),
  withDot: (text: string) => `${text}.`,
  withSpace: (text: string) => `${text} `,
  thereAndBack: (text: string) => `${text}/..`,
  outAndBack: (text: string) => `x/../${text}`,
  shorter: (text: string) => text.slice(0, -1),
};

/** Ways to encode a path in a URL. */
const ENCODINGS = {
  once: encodeURIComponent,
  twice: (text: string) => encodeURIComponent(encodeURIComponent(text)),
  little: (text: string) => encodeURI(text).replace(/[&#+]/g, encodeURIComponent),
  percentLeft: (text: string) => encodeURI(text).replaceAll('%25', '%').replace(/[&#+]/g, encodeURIComponent),
  asForm: (text: string) => new URLSearchParams({ text }).toString().slice('text='.length),
};

/** How a path is written as text. */
export interface Spelling {
  readonly start: string;
  readonly separators: readonly string[];
  readonly forms: readonly (keyof typeof FORMS)[];
  readonly end: string;
  readonly encoding: keyof typeof ENCODINGS;
}

const PLAIN = ['asItIs', 'asItIs', 'asItIs'] as const;

export const spelling: fc.Arbitrary<Spelling> = fc.record({
  start: fc.constantFrom(...STARTS),
  separators: fc.array(fc.constantFrom(...SEPARATORS), { minLength: 4, maxLength: 4 }),
  forms: fc.array(fc.constantFrom(...PLAIN, ...keysOf(FORMS)), { minLength: 5, maxLength: 5 }),
  end: fc.constantFrom(...ENDS),
  encoding: fc.constantFrom(...keysOf(ENCODINGS)),
});

/** Writes the path as text, and encoded for a URL. */
export function spell(
  names: readonly string[],
  { start, separators, forms, end, encoding }: Spelling,
): { readonly text: string; readonly encoded: string } {
  const parts = names.map((each, index) => {
    const separator = index === 0 ? '' : (separators[(index - 1) % separators.length] ?? '/');
    return separator + FORMS[forms[index % forms.length] ?? 'asItIs'](each);
  });
  const text = (start + parts.join('') + end).toWellFormed();
  return { text, encoded: ENCODINGS[encoding](text) };
}

function keysOf<T extends object>(record: T): (keyof T)[] {
  return Object.keys(record) as (keyof T)[];
}

/** The path of every entry in a tree, as lists of names. */
export function pathsIn(tree: Tree): readonly (readonly string[])[] {
  return [...tree].flatMap(([key, child]) => [
    [key],
    ...(typeof child === 'string' ? [] : pathsIn(child).map((below) => [key, ...below])),
  ]);
}

/**
 * What a path leads to according to the rules: extra separators are ignored, and every name, normalized to
 * NFC, must be valid and exist.
 * @param path as the service reads it, decoded once
 */
export function findIn(tree: Tree, path: string): Found {
  let found: Found = tree;
  for (const part of path.split('/').filter((text) => text !== '')) {
    const key = part.normalize('NFC');
    if (typeof found !== 'object' || !isName(key)) return undefined;
    found = found.get(key);
  }
  return found;
}

function isName(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names have none.
  return text.trim() !== '' && text !== '.' && text !== '..' && !/[\\/\u0000-\u001f\u007f-\u009f]/.test(text);
}
