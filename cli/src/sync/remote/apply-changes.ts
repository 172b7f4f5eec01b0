import type { RemoteEntry } from '../rules/entries.ts';
import { depthOf } from '../rules/path-map.ts';
import type { SyncState } from '../state/sync-state.ts';

/** The changes that an update has read. */
interface FoundChanges {
  readonly found: ReadonlyMap<string, RemoteEntry>;
  /** The entries below directories that are new to this tree. */
  readonly below: ReadonlyMap<string, RemoteEntry>;
  readonly cursor: number;
  readonly mark: string | undefined;
}

/** Writes the changes to the state, together with the cursor. Returns the changed paths. */
export function applyChanges(
  state: SyncState,
  ids: readonly number[],
  { found, below, cursor, mark }: FoundChanges,
): ReadonlySet<string> {
  const { remote } = state;
  const changed = new Set<string>([...found.keys(), ...below.keys()]);
  const stays = new Set([...found].flatMap(([path, { id }]) => (remote.pathOf(id) === path ? [id] : [])));
  state.transact(() => {
    // Entries that left their path go first, the deepest before the others, so that each takes its own
    // subtree along.
    const left = ids.flatMap((id) => {
      const path = stays.has(id) ? undefined : remote.pathOf(id);
      return path === undefined ? [] : [{ id, path }];
    });
    const trees = new Map<number, readonly (readonly [string, RemoteEntry])[]>();
    for (const { id, path } of left.toSorted((a, b) => depthOf(b.path) - depthOf(a.path))) {
      const tree = remote.takeTree(path);
      trees.set(id, tree);
      for (const [relative] of tree) changed.add(path + relative);
    }
    for (const [path, entry] of [...found].toSorted(([a], [b]) => depthOf(a) - depthOf(b))) {
      for (const [relative, moved] of trees.get(entry.id) ?? []) {
        remote.set(path + relative, moved);
        changed.add(path + relative);
      }
    }
    for (const [path, entry] of below) remote.set(path, entry);
    // Records that were requested one by one are newer than moved or listed ones.
    for (const [path, entry] of found) remote.set(path, entry);
    state.setCursor(cursor, mark);
  });
  return changed;
}
