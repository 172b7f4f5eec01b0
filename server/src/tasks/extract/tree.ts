import { sortInTurns } from '../../base/concurrency/sort-in-turns.ts';
import { Turns } from '../../base/concurrency/turns.ts';
import { type FileName, isFileName } from '../../base/text/names/file-name.ts';
import type { TreeNode } from '../../drive/drive.ts';
import { ZipFault } from '../../formats/zip/reading/fault.ts';
import type { ListedEntry } from '../../formats/zip/reading/listing.ts';
import { toSegments } from '../../formats/zip/reading/names.ts';
import { ExtractReport } from './report.ts';
import type { ArchiveSelection } from './selection.ts';
import { TreeBuilder } from './tree-builder.ts';

/** The files and directories that result from unpacking an archive. */
export interface ExtractedTree {
  /** Every directory comes before its children. */
  readonly nodes: readonly TreeNode[];
  /** In the order of the entries. */
  readonly files: readonly ExtractedFile[];
  readonly report: ExtractReport;
}

export interface ExtractedFile {
  /** Its index in `nodes`. */
  readonly node: number;
  readonly entry: ListedEntry;
}

/**
 * Builds the tree of an archive's entries. If everything is inside one top directory, that directory is left
 * out, unless it is empty. Names that the drive does not allow become the closest allowed name.
 *
 * @param options.maxNodes the maximum number of files and directories in the archive, including directories
 *   that occur only in paths
 * @param options.folder a new directory for everything; undefined for none
 * @param options.selection the entries to extract, without the directories above them; undefined for all
 * @throws ZipFault for a path that leads out of the directory or is both a file and a directory, and if
 *   nothing is left to extract
 */
export async function toTree(
  entries: readonly ListedEntry[],
  options: {
    readonly maxNodes: number;
    readonly folder?: FileName | undefined;
    readonly selection?: ArchiveSelection | undefined;
  },
): Promise<ExtractedTree> {
  const { maxNodes, folder, selection } = options;
  const report = new ExtractReport();
  const builder = new TreeBuilder(maxNodes, report);
  const turns = new Turns();
  const respelled: (readonly [ListedEntry, readonly string[]])[] = [];
  for (const entry of entries) {
    if (turns.isOver()) await turns.next();
    const whole = toSegments(entry.name);
    const segments = selection === undefined ? whole : selection.pick(whole);
    if (segments === undefined) continue;
    const exclusion = entry.exclusion ?? (isNameless(entry, segments) ? 'is without a name' : undefined);
    if (exclusion !== undefined) report.addLeftOut(entry.name, exclusion);
    else if (segments.every(isFileName)) builder.add(entry, segments);
    else respelled.push([entry, segments]);
  }
  selection?.checkFound();
  // Added last, so that entries with allowed names keep them, wherever they are in the archive.
  for (const [entry, segments] of respelled) {
    if (turns.isOver()) await turns.next();
    builder.add(entry, segments);
  }
  if (builder.nodes.length === 0 && report.firstLeftOut !== undefined)
    throw new ZipFault(report.firstLeftOut);
  return { ...(await unwrap(builder, turns, { folder, isWhole: selection === undefined })), report };
}

function isNameless({ name }: ListedEntry, segments: readonly string[]): boolean {
  return segments.length === 0 && !/^(?:\.\/)+$/.test(name);
}

/** Leaves out a single top directory of a whole archive, and puts everything into the folder if there is one. */
async function unwrap(
  builder: TreeBuilder,
  turns: Turns,
  { folder, isWhole }: { readonly folder: FileName | undefined; readonly isWhole: boolean },
): Promise<Omit<ExtractedTree, 'report'>> {
  // The first node is always at the top: it is the first segment of the first entry.
  const root = builder.nodes[0];
  const isFull = root?.isDirectory === true && (root.children?.size ?? 0) > 0;
  const isWrapped = isWhole && builder.top.size === 1 && isFull;
  const nodes: TreeNode[] = folder === undefined ? [] : [{ name: folder, isDirectory: true, parent: null }];
  const top = folder === undefined ? null : 0;
  // Node `n` of the archive becomes node `n + shift`.
  const shift = nodes.length - (isWrapped ? 1 : 0);
  const files: ExtractedFile[] = [];
  for (const { name, isDirectory, parent, modifiedAt, entry } of builder.nodes.slice(isWrapped ? 1 : 0)) {
    if (turns.isOver()) await turns.next();
    const isTop = parent === null || (isWrapped && parent === 0);
    const node = nodes.push({ name, isDirectory, parent: isTop ? top : parent + shift, modifiedAt }) - 1;
    if (entry !== undefined) files.push({ node, entry });
  }
  return { nodes, files: await sortInTurns(files, (one, other) => one.entry.offset - other.entry.offset) };
}
