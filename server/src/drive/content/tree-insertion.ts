import type { Clock, Instant } from '../../base/clock.ts';
import { Turns } from '../../base/concurrency/turns.ts';
import type { ConflictRule } from '../../base/domain/conflict-rules.ts';
import { Failure } from '../../base/failure.ts';
import type { FileName } from '../../base/text/names/file-name.ts';
import {
  checkDepth,
  checkLength,
  childOf,
  type LogicalPath,
  segmentsOf,
} from '../../base/text/names/logical-path.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import { nameTaken } from '../entries/directories.ts';
import type { Actor, Entry, EntryWithPath } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { adjustChildCount, findTakenNames } from '../entries/entry-queries.ts';
import type { NameConflicts } from '../entries/name-conflicts.ts';
import { contentTypeFor } from './new-file.ts';
import { insertEntries, type NewTreeEntry, ROWS_PER_STATEMENT } from './tree-insertion-queries.ts';

/** A file or directory in a tree to insert. */
export interface TreeNode {
  readonly name: FileName;
  readonly isDirectory: boolean;
  /** The index of its directory among the nodes, which is lower than its own; null at the top of the tree. */
  readonly parent: number | null;
  /** By default the time of the insertion. */
  readonly modifiedAt?: Instant | undefined;
}

/** Returns the stored bytes of the file at an index in the nodes. Not called for directories. */
type BytesOf = (node: number) => StoredBytes;

/** A tree to insert. The bytes of its files are already stored. */
interface NewTree {
  readonly nodes: readonly TreeNode[];
  readonly bytesOf: BytesOf;
}

/** The directory into which a tree is inserted. */
export interface TargetDirectory {
  readonly directoryId: number;
  readonly path: LogicalPath;
  /** What to do if a name at the top of the tree is taken. Directories are not merged. */
  readonly onConflict: ConflictRule;
  /** The path of an entry that the tree must not replace, neither itself nor a directory around it. */
  readonly keptPath: LogicalPath;
}

interface TreeInsertionParts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly conflicts: NameConflicts;
  readonly entryEvents: EntryEvents;
  readonly clock: Clock;
}

/** Inserts whole trees into drives, with a few statements per level. */
export class TreeInsertion {
  readonly #parts: TreeInsertionParts;

  constructor(parts: TreeInsertionParts) {
    this.#parts = parts;
  }

  /**
   * Checks whether the tree could be inserted now. Lets callers reject early; {@link insertTree} decides.
   * @throws Failure `conflict` if a name at the top is taken and the rule is FAIL; `invalid` if a path is too
   *   long or too deep
   */
  async checkCanInsert(target: TargetDirectory, nodes: readonly TreeNode[]): Promise<void> {
    await checkPaths(target, nodes);
    if (target.onConflict !== 'FAIL') return;
    const [taken] = await findTakenNames(this.#parts.database.db, target.directoryId, topNamesOf(nodes));
    if (taken !== undefined) throw nameTaken(taken);
  }

  /**
   * Inserts a tree, in a transaction that has locked the drive. The bytes of all files are already
   * stored, and the caller charges them.
   * @throws Failure `conflict` as {@link NameConflicts.resolveAll}; `invalid` as {@link checkCanInsert}
   */
  async insertTree(tx: Tx, actor: Actor, target: TargetDirectory, tree: NewTree): Promise<void> {
    const names = topNamesOf(tree.nodes);
    const renamed = await this.#parts.conflicts.resolveAll(tx, actor, target, names, target.onConflict);
    const nodes = renamed.size === 0 ? tree.nodes : renameTop(tree.nodes, renamed);
    await checkPaths(target, nodes);
    const entries = await this.#insert(tx, actor, target, { ...tree, nodes });
    const roots = entries.filter((_, index) => nodes[index]?.parent === null);
    await adjustChildCount(tx, target.directoryId, roots.length);
    for (let at = 0; at < roots.length; at += ROWS_PER_STATEMENT) {
      const some = roots.slice(at, at + ROWS_PER_STATEMENT);
      await this.#parts.entryEvents.recordCreated(
        tx,
        actor,
        some.map((entry) => ({ entry, parentPath: target.path })),
      );
    }
    await this.#parts.entryEvents.runFilesAdded(tx, await toFilesWithPaths(target, nodes, entries));
  }

  /**
   * Inserts the directories level by level, then all files. Returns the entries in the order of the nodes.
   */
  async #insert(
    tx: Tx,
    { driveId, accountId }: Actor,
    target: TargetDirectory,
    { nodes, bytesOf }: NewTree,
  ): Promise<readonly Entry[]> {
    const now = this.#parts.clock.now();
    const childCounts = countChildrenOf(nodes);
    const inserted: Entry[] = [];
    const insertBatch = async (indexes: readonly number[], blobIds: ReadonlyMap<number, number>) => {
      const rows = indexes.map((number): NewTreeEntry => {
        const { name, isDirectory, parent, modifiedAt } = nodeAt(nodes, number);
        const parentId = parent === null ? target.directoryId : nodeAt(inserted, parent).id;
        const childCount = childCounts[number] ?? 0;
        const common = { driveId, parentId, name, isDirectory, childCount, modifiedAt, changedBy: accountId };
        if (isDirectory) return { ...common, blobId: null, size: 0, contentType: null };
        const contentType = contentTypeFor(name, null);
        return { ...common, blobId: blobIds.get(number) ?? null, size: bytesOf(number).size, contentType };
      });
      const ids = await insertEntries(tx, rows, now);
      for (const [index, number] of indexes.entries()) {
        const row = nodeAt(rows, index);
        const { modifiedAt = now } = row;
        inserted[number] = {
          ...row,
          id: nodeAt(ids, index),
          createdAt: now,
          updatedAt: now,
          modifiedAt,
          isStarred: false,
        };
      }
    };
    for (const level of directoryLevels(nodes)) {
      for (const batch of toBatches(level)) await insertBatch(batch, new Map());
    }
    const files = nodes.flatMap((node, number) => (node.isDirectory ? [] : [number]));
    for (const batch of toBatches(files)) {
      await insertBatch(batch, await this.#insertBlobs(tx, accountId, { nodes, bytesOf }, batch));
    }
    return inserted;
  }

  async #insertBlobs(
    tx: Tx,
    accountId: number | null,
    { nodes, bytesOf }: NewTree,
    files: readonly number[],
  ): Promise<ReadonlyMap<number, number>> {
    const blobs = files.map((number) => {
      const contentType = contentTypeFor(nodeAt(nodes, number).name, null);
      return { ...bytesOf(number), kind: 'FILE' as const, contentType, createdBy: accountId };
    });
    const ids = await this.#parts.blobs.insertMany(tx, blobs);
    return new Map(files.map((number, index) => [number, nodeAt(ids, index)]));
  }
}

function topNamesOf(nodes: readonly TreeNode[]): readonly FileName[] {
  return nodes.flatMap(({ name, parent }) => (parent === null ? [name] : []));
}

function renameTop(
  nodes: readonly TreeNode[],
  renamed: ReadonlyMap<FileName, FileName>,
): readonly TreeNode[] {
  return nodes.map((node) => {
    const name = node.parent === null ? renamed.get(node.name) : undefined;
    return name === undefined ? node : { ...node, name };
  });
}

async function checkPaths({ path }: TargetDirectory, nodes: readonly TreeNode[]): Promise<void> {
  const depths: number[] = [];
  const paths: string[] = [];
  const turns = new Turns();
  for (const [number, { name, parent, isDirectory }] of nodes.entries()) {
    if (turns.isOver()) await turns.next();
    const depth = parent === null ? segmentsOf(path).length + 1 : nodeAt(depths, parent) + 1;
    const ownPath = childOf(parent === null ? path : nodeAt(paths, parent), name);
    checkNodeLimits(name, depth, ownPath);
    if (!isDirectory) continue;
    depths[number] = depth;
    paths[number] = ownPath;
  }
}

async function toFilesWithPaths(
  { path }: TargetDirectory,
  nodes: readonly TreeNode[],
  entries: readonly Entry[],
): Promise<readonly EntryWithPath[]> {
  const paths: LogicalPath[] = [];
  const files: EntryWithPath[] = [];
  const turns = new Turns();
  for (const [number, { name, isDirectory, parent }] of nodes.entries()) {
    if (turns.isOver()) await turns.next();
    const parentPath = parent === null ? path : nodeAt(paths, parent);
    if (isDirectory) paths[number] = childOf(parentPath, name);
    else files.push({ entry: nodeAt(entries, number), parentPath });
  }
  return files;
}

function checkNodeLimits(name: FileName, depth: number, path: string): void {
  try {
    checkDepth(depth);
    checkLength(path);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure('invalid', `"${name}" cannot be stored here. ${error.message}`, { cause: error });
  }
}

function countChildrenOf(nodes: readonly TreeNode[]): readonly number[] {
  const counts = nodes.map(() => 0);
  for (const { parent } of nodes) if (parent !== null) counts[parent] = (counts[parent] ?? 0) + 1;
  return counts;
}

/** Splits the indexes into batches, each for one statement. */
function* toBatches(indexes: readonly number[]): Generator<readonly number[]> {
  for (let at = 0; at < indexes.length; at += ROWS_PER_STATEMENT) {
    yield indexes.slice(at, at + ROWS_PER_STATEMENT);
  }
}

/** The indexes of the directories by level, from the top down. */
function directoryLevels(nodes: readonly TreeNode[]): readonly (readonly number[])[] {
  const levels: number[][] = [];
  const levelOf: number[] = [];
  for (const [number, { parent, isDirectory }] of nodes.entries()) {
    if (!isDirectory) continue;
    const level = parent === null ? 0 : nodeAt(levelOf, parent) + 1;
    levelOf[number] = level;
    levels[level] ??= [];
    levels[level]?.push(number);
  }
  return levels;
}

function nodeAt<T>(all: readonly T[], index: number): T {
  const found = all[index];
  if (found === undefined) throw new Error(`The tree has no node at ${index}, or it follows its child.`);
  return found;
}
