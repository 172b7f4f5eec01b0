import type { FileName } from '../../base/text/file-name.ts';
import type { TreeNode } from '../../drive/drive.ts';
import { quoteName, ZipFault } from '../../formats/zip/reading/fault.ts';
import type { ListedEntry } from '../../formats/zip/reading/listing.ts';
import { toSegments } from '../../formats/zip/reading/names.ts';

/** What an archive becomes. */
export interface ExtractedTree {
  /** Directories before what lies in them. */
  readonly nodes: readonly TreeNode[];
  readonly files: readonly ExtractedFile[];
}

export interface ExtractedFile {
  /** Its number among the nodes. */
  readonly node: number;
  readonly entry: ListedEntry;
}

/**
 * The tree that the entries of an archive mean. A single directory around all of it is left out, unless nothing lies in
 * it.
 *
 * @param maxNodes files and directories: also those directories count that only paths speak of
 * @throws ZipFault for paths that lead elsewhere, names that cannot be, and what is there twice
 */
export function toTree(entries: readonly ListedEntry[], maxNodes: number): ExtractedTree {
  const growing = new GrowingTree(maxNodes);
  for (const entry of entries) growing.add(entry);
  return growing.finish();
}

interface GrowingNode extends TreeNode {
  readonly children: Map<FileName, number>;
  /** The archive has an entry of its own for it. */
  isListed: boolean;
}

class GrowingTree {
  readonly #maxNodes: number;
  readonly #nodes: GrowingNode[] = [];
  readonly #top = new Map<FileName, number>();
  readonly #files: ExtractedFile[] = [];

  constructor(maxNodes: number) {
    this.#maxNodes = maxNodes;
  }

  add(entry: ListedEntry): void {
    const segments = toSegments(entry.name);
    const name = segments.at(-1);
    if (name === undefined) return;
    let parent: number | null = null;
    for (const segment of segments.slice(0, -1)) parent = this.#enter(parent, segment, entry);
    const there = this.#childrenOf(parent).get(name);
    const node = there === undefined ? undefined : this.#nodes[there];
    if (node === undefined) {
      const number = this.#push({ name, isDirectory: entry.isDirectory, parent }, true);
      if (!entry.isDirectory) this.#files.push({ node: number, entry });
      return;
    }
    if (!node.isDirectory || !entry.isDirectory || node.isListed) throw isTwice(entry);
    node.isListed = true;
  }

  finish(): ExtractedTree {
    const nodes = this.#nodes.map(({ name, isDirectory, parent }) => ({ name, isDirectory, parent }));
    // The first to come in is the topmost directory of the first entry.
    const root = this.#nodes[0];
    if (this.#top.size !== 1 || !root?.isDirectory || root.children.size === 0)
      return { nodes, files: this.#files };
    return {
      nodes: nodes.slice(1).map((node) => ({ ...node, parent: node.parent ? node.parent - 1 : null })),
      files: this.#files.map(({ node, entry }) => ({ node: node - 1, entry })),
    };
  }

  /** The directory of that name in a directory, made when no entry has spoken of it yet. */
  #enter(parent: number | null, name: FileName, entry: ListedEntry): number {
    const there = this.#childrenOf(parent).get(name);
    if (there === undefined) return this.#push({ name, isDirectory: true, parent }, false);
    if (!this.#nodes[there]?.isDirectory) throw isTwice(entry);
    return there;
  }

  #push(node: TreeNode, isListed: boolean): number {
    if (this.#nodes.length === this.#maxNodes) {
      throw new ZipFault(
        `The archive would become more than ${this.#maxNodes.toLocaleString('en')} files and directories.`,
      );
    }
    const number = this.#nodes.push({ ...node, isListed, children: new Map() }) - 1;
    this.#childrenOf(node.parent).set(node.name, number);
    return number;
  }

  #childrenOf(parent: number | null): Map<FileName, number> {
    return (parent === null ? undefined : this.#nodes[parent]?.children) ?? this.#top;
  }
}

function isTwice({ name }: ListedEntry): ZipFault {
  return new ZipFault(`The archive has more than one entry at ${quoteName(name)}.`);
}
