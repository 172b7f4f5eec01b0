import {
  type FileName,
  isFileName,
  MAX_NAME_LENGTH,
  toClosestFileName,
} from '../../base/text/names/file-name.ts';
import { toNormalForm } from '../../base/text/names/normal-form.ts';
import { parseNumberedName, withNumber } from '../../base/text/names/numbered-name.ts';
import type { TreeNode } from '../../drive/drive.ts';
import { quoteName, ZipFault } from '../../formats/zip/reading/fault.ts';
import type { ListedEntry } from '../../formats/zip/reading/listing.ts';
import type { ExtractReport } from './report.ts';

interface BuiltNode extends TreeNode {
  /** Undefined for a file: empty maps for a hundred thousand files would keep the garbage collector busy. */
  readonly children: Map<FileName, number> | undefined;
  /** Its name in the archive. */
  readonly spelling: string;
  /** The entry of a file. */
  entry: ListedEntry | undefined;
  modifiedAt: TreeNode['modifiedAt'];
}

/** Collects the files and directories of an archive, each under a name that the drive allows. */
export class TreeBuilder {
  readonly nodes: BuiltNode[] = [];
  readonly top = new Map<FileName, number>();
  readonly #maxNodes: number;
  readonly #report: ExtractReport;
  /** The nodes whose names differ from the archive, by `<parent>/<spelling>`. */
  readonly #respelled = new Map<string, number>();

  /**
   * The last number added to each taken name. Saves a search from 1, since a hundred thousand entries may
   * become the same name.
   */
  readonly #numbers = new Map<string, number>();

  constructor(maxNodes: number, report: ExtractReport) {
    this.#maxNodes = maxNodes;
    this.#report = report;
  }

  /** @throws ZipFault if the path is already both a file and a directory */
  add(entry: ListedEntry, segments: readonly string[]): void {
    let parent: number | null = null;
    for (const [index, segment] of segments.entries()) {
      const isLast = index === segments.length - 1;
      const isDirectory = !isLast || entry.isDirectory;
      const number: number =
        this.#find(parent, segment) ?? this.#push(parent, segment, entry, { isDirectory, isLast });
      const node = this.nodes[number];
      if (node?.isDirectory !== isDirectory) {
        throw new ZipFault(`The archive has more than one entry at ${quoteName(entry.name)}.`);
      }
      if (isLast) this.#describe(node, entry);
      parent = number;
    }
  }

  /** If two entries have the same file path, the one that comes last in the archive's directory counts. */
  #describe(node: BuiltNode, entry: ListedEntry): void {
    if (!node.isDirectory) {
      if (node.entry !== undefined) this.#report.addReplaced();
      if ((node.entry?.index ?? -1) > entry.index) return;
      node.entry = entry;
    }
    node.modifiedAt = entry.modifiedAt;
  }

  #find(parent: number | null, spelling: string): number | undefined {
    const respelled = this.#respelled.size === 0 ? undefined : this.#respelled.get(`${parent}/${spelling}`);
    if (respelled !== undefined) return respelled;
    const number = this.#childrenOf(parent).get(spelling as FileName);
    return number !== undefined && this.nodes[number]?.spelling === spelling ? number : undefined;
  }

  #push(
    parent: number | null,
    spelling: string,
    entry: ListedEntry,
    { isDirectory, isLast }: { readonly isDirectory: boolean; readonly isLast: boolean },
  ): number {
    if (this.nodes.length === this.#maxNodes) {
      throw new ZipFault(
        `The archive would unpack to more than ${this.#maxNodes.toLocaleString('en')} files and directories.`,
      );
    }
    const siblings = this.#childrenOf(parent);
    const name = this.#toFreeName(
      parent,
      isFileName(spelling) ? spelling : toClosestFileName(spelling),
      siblings,
    );
    const children: BuiltNode['children'] = isDirectory ? new Map() : undefined;
    const node = { name, isDirectory, parent, modifiedAt: undefined, children, spelling, entry: undefined };
    const number = this.nodes.push(node) - 1;
    siblings.set(name, number);
    if (name !== spelling) this.#respelled.set(`${parent}/${spelling}`, number);
    // People see no difference between Unicode forms of the same name, so only other changes are reported.
    if (name !== spelling && name !== toNormalForm(spelling, MAX_NAME_LENGTH)) {
      this.#report.addRenamed(isLast ? entry.name : spelling, name);
    }
    return number;
  }

  #childrenOf(parent: number | null): Map<FileName, number> {
    return (parent === null ? undefined : this.nodes[parent]?.children) ?? this.top;
  }

  /** Two names may become the same allowed name. The second one gets a number. */
  #toFreeName(parent: number | null, name: FileName, taken: ReadonlyMap<FileName, number>): FileName {
    if (!taken.has(name)) return name;
    const parsed = parseNumberedName(name);
    const key = `${parent}/${parsed.stem}/${parsed.extension}`;
    let number = this.#numbers.get(key) ?? parsed.number;
    let free = name;
    while (taken.has(free)) {
      number += 1;
      free = withNumber(parsed, number);
    }
    this.#numbers.set(key, number);
    return free;
  }
}
