import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';

/** Paths of files with their contents, of directories with a `/` at the end. */
export type Tree = Readonly<Record<string, string>>;

/** A directory that goes with the test file. */
export async function makeDirectory(tree: Tree = {}): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'holdall-tree-'));
  after(() => rm(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(tree)) {
    const place = path.join(root, name);
    await mkdir(name.endsWith('/') ? place : path.dirname(place), { recursive: true });
    if (!name.endsWith('/')) await writeFile(place, content, 'latin1');
  }
  return root;
}

/** Everything below a directory of the machine. */
export async function readDirectory(root: string): Promise<Tree> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const place = path.join(entry.parentPath, entry.name);
    const name = path.relative(root, place);
    if (entry.isDirectory()) found[`${name}/`] = '';
    else found[name] = await readFile(place, 'latin1');
  }
  return found;
}

/** The tree with a directory for everything that only paths speak of. */
export function withDirectories(tree: Tree): Tree {
  const full: Record<string, string> = { ...tree };
  for (const name of Object.keys(tree)) {
    const segments = name.split('/').slice(0, -1);
    for (const index of segments.keys()) full[`${segments.slice(0, index + 1).join('/')}/`] = '';
  }
  return full;
}

/** What lies below one of its directories, named from there. */
export function below(tree: Tree, directory: string): Tree {
  const inside = Object.entries(tree).filter(([name]) => name.startsWith(directory) && name !== directory);
  return Object.fromEntries(inside.map(([name, content]) => [name.slice(directory.length), content]));
}
