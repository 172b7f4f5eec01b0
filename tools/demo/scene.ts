import { type ExpectedTree, nameOf, parentOf } from './files/expected-tree.ts';
import type { DriveClient, DriveRecord } from './service/drive-client.ts';
import type { StepLog } from './step-log.ts';

/** The subject of the steps: the drive below one directory, and its expected content. */
export interface Scene {
  readonly drive: DriveClient;
  /** The absolute path of the demonstration's directory. */
  readonly root: string;
  readonly expected: ExpectedTree;
  readonly log: StepLog;
}

export const AT_A_TIME = 16;

/** The absolute path of a path of the tree; '' is the root. */
export function inDrive(scene: Scene, path: string): string {
  return path === '' ? scene.root : `${scene.root}/${path}`;
}

/** @throws if the listing of its directory does not contain it */
export async function findRecord(scene: Scene, path: string): Promise<DriveRecord> {
  const directory = inDrive(scene, parentOf(path));
  for (let page = 0, seen = 0, total = 1; seen < total; page += 1) {
    const answer = await scene.drive.list(directory, page, 100);
    const found = answer.items.find((record) => record.filename === nameOf(path));
    if (found !== undefined) return found;
    if (answer.items.length === 0) break;
    seen += answer.items.length;
    total = answer.total;
  }
  throw new Error(`${path} is not listed in ${directory}`);
}
