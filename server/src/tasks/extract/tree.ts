import { Turns } from '../../base/concurrency/turns.ts';
import type { FileName } from '../../base/text/names/file-name.ts';
import type { TreeNode } from '../../drive/drive.ts';
import { quoteName, ZipFault } from '../../formats/zip/reading/fault.ts';
import type { ListedEntry } from '../../formats/zip/reading/listing.ts';
import { toSegments } from '../../formats/zip/reading/names.ts';

/** The files and directories that an archive unpacks to. */
export interface ExtractedTree {
  /** Every directory comes before its children. */
  readonly nodes: readonly TreeNode[];
  /** In the order of the entries. */
  readonly files: readonly ExtractedFile[];
}

export interface ExtractedFile {
  /** Its index in `nodes`. */
  readonly node: number;
  readonly entry: ListedEntry;
}

/**
 * Builds the tree of the entries of an archive. If everything is inside one top directory, that directory is
 * left out, unless it is empty.
 *
 * @param options.maxNodes the maximum number of files and directories in the archive, including directories
 *   that occur only in paths
 * @param options.folder a directory that gets everything; undefined for none
 * @throws ZipFault for paths that leave the directory, for invalid names, and for duplicates
 */
export async function toTree(
  entries: readonly ListedEntry[],
  { maxNodes, folder }: { readonly maxNodes: number; readonly folder?: FileName | undefined },
): Promise<ExtractedTree> {
  const builder = new TreeBuilder(maxNodes);
  const turns = new Turns();
  for (const entry of entries) {
    if (turns.isOver()) await turns.next();
    builder.add(entry);
  }
  return await builder.finish(turns, folder);
}

interface BuiltNode extends TreeNode {
  /** Undefined for a file: empty maps for a hundred thousand files would keep the garbage collector busy. */
  readonly children: Map<FileName, number> | undefined;
  /** Whether the archive has an entry for it; otherwise it occurs only in paths. */
  isListed: boolean;
}

class TreeBuilder {
  readonly #maxNodes: number;
  readonly #nodes: BuiltNode[] = [];
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
    for (const segment of segments.slice(0, -1)) parent = this.#getOrAddDirectory(parent, segment, entry);
    const existing = this.#childrenOf(parent).get(name);
    const node = existing === undefined ? undefined : this.#nodes[existing];
    if (node === undefined) {
      const number = this.#push(
        { name, isDirectory: entry.isDirectory, parent, modifiedAt: entry.modifiedAt },
        true,
      );
      if (!entry.isDirectory) this.#files.push({ node: number, entry });
      return;
    }
    if (!node.isDirectory || !entry.isDirectory || node.isListed) throw duplicateOf(entry);
    node.isListed = true;
  }

  async finish(turns: Turns, folder: FileName | undefined): Promise<ExtractedTree> {
    // The first node is always a top node: the first segment of the first entry.
    const root = this.#nodes[0];
    const isWrapped = this.#top.size === 1 && root?.isDirectory === true && (root.children?.size ?? 0) > 0;
    const nodes: TreeNode[] = folder === undefined ? [] : [{ name: folder, isDirectory: true, parent: null }];
    const top = folder === undefined ? null : 0;
    // Node `n` of the archive becomes node `n + shift`.
    const shift = nodes.length - (isWrapped ? 1 : 0);
    for (const { name, isDirectory, parent, modifiedAt } of this.#nodes.slice(isWrapped ? 1 : 0)) {
      if (turns.isOver()) await turns.next();
      const isTop = parent === null || (isWrapped && parent === 0);
      nodes.push({ name, isDirectory, parent: isTop ? top : parent + shift, modifiedAt });
    }
    const files: ExtractedFile[] = [];
    for (const { node, entry } of this.#files) {
      if (turns.isOver()) await turns.next();
      files.push({ node: node + shift, entry });
    }
    return { nodes, files };
  }

  /** Returns the directory with this name in the parent, and adds it if it does not exist yet. */
  #getOrAddDirectory(parent: number | null, name: FileName, entry: ListedEntry): number {
    const existing = this.#childrenOf(parent).get(name);
    if (existing === undefined) return this.#push({ name, isDirectory: true, parent }, false);
    if (!this.#nodes[existing]?.isDirectory) throw duplicateOf(entry);
    return existing;
  }

  #push(node: TreeNode, isListed: boolean): number {
    if (this.#nodes.length === this.#maxNodes) {
      throw new ZipFault(
        `The archive would unpack to more than ${this.#maxNodes.toLocaleString('en')} files and directories.`,
      );
    }
    const number =
      this.#nodes.push({ ...node, isListed, children: node.isDirectory ? new Map() : undefined }) - 1;
    this.#childrenOf(node.parent).set(node.name, number);
    return number;
  }

  #childrenOf(parent: number | null): Map<FileName, number> {
    return (parent === null ? undefined : this.#nodes[parent]?.children) ?? this.#top;
  }
}

function duplicateOf({ name }: ListedEntry): ZipFault {
  return new ZipFault(`The archive has more than one entry at ${quoteName(name)}.`);
}
