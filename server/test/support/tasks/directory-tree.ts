import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';

/** File contents by path. Paths of directories end with `/`. */
export type Tree = Readonly<Record<string, string>>;

/** Creates a temporary directory with the tree, which is removed after the test file. */
export async function makeDirectory(tree: Tree = {}): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'holdall-tree-'));
  after(() => rm(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(tree)) {
    const file = path.join(root, name);
    await mkdir(name.endsWith('/') ? file : path.dirname(file), { recursive: true });
    if (!name.endsWith('/')) await writeFile(file, content, 'latin1');
  }
  return root;
}

/** Reads the tree below a local directory. */
export async function readDirectory(root: string): Promise<Tree> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(root, file);
    if (entry.isDirectory()) found[`${name}/`] = '';
    else found[name] = await readFile(file, 'latin1');
  }
  return found;
}

/** Adds the directories that occur only inside paths. */
export function withDirectories(tree: Tree): Tree {
  const full: Record<string, string> = { ...tree };
  for (const name of Object.keys(tree)) {
    const segments = name.split('/').slice(0, -1);
    for (const index of segments.keys()) full[`${segments.slice(0, index + 1).join('/')}/`] = '';
  }
  return full;
}

/** The subtree of a directory, with paths relative to it. */
export function subtree(tree: Tree, directory: string): Tree {
  const inside = Object.entries(tree).filter(([name]) => name.startsWith(directory) && name !== directory);
  return Object.fromEntries(inside.map(([name, content]) => [name.slice(directory.length), content]));
}
