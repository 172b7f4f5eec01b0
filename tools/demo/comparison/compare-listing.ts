import { atATime } from '../at-a-time.ts';
import type { ExpectedTree } from '../files/expected-tree.ts';
import type { DriveClient, DriveRecord } from '../service/drive-client.ts';

// Small, so that walking through many pages is tested.
const PAGE_SIZE = 40;
const DIRECTORIES_AT_A_TIME = 8;

export interface ListedTree {
  /** By path, relative to the listed root. */
  readonly records: ReadonlyMap<string, DriveRecord>;
  readonly faults: readonly string[];
}

/** Lists every directory below `root`, page by page. A page that contradicts another is a fault. */
export async function listTree(drive: DriveClient, root: string, onRecord: () => void): Promise<ListedTree> {
  const records = new Map<string, DriveRecord>();
  const faults: string[] = [];
  await atATime(DIRECTORIES_AT_A_TIME, [root], async (directory, add) => {
    let seen = 0;
    for (let page = 0, total = 1; seen < total; page += 1) {
      const answer = await drive.list(directory, page, PAGE_SIZE);
      total = answer.total;
      seen += answer.items.length;
      if (answer.items.length === 0 && seen < total) {
        faults.push(`${directory}: page ${page} is empty after ${seen} of ${total} records`);
        break;
      }
      for (const record of answer.items) {
        if (record.path !== `${directory}/${record.filename}`) {
          faults.push(`${directory}: the record ${record.filename} says its path is ${record.path}`);
        }
        const relative = `${directory}/${record.filename}`.slice(root.length + 1);
        if (records.has(relative)) faults.push(`${relative} is listed twice`);
        records.set(relative, record);
        onRecord();
        if (record.directory) add(`${directory}/${record.filename}`);
      }
    }
  });
  return { records, faults };
}

/** Every difference from the expected listing, one sentence each. */
export function compareListing(listed: ListedTree, expected: ExpectedTree): readonly string[] {
  const differences = [...listed.faults];
  for (const [path, file] of expected.files) {
    const record = listed.records.get(path);
    if (record === undefined) differences.push(`${path} is missing`);
    else if (record.directory) differences.push(`${path} is a directory and should be a file`);
    else if (record.size !== file.size) {
      differences.push(`${path} has ${record.size} bytes instead of ${file.size}`);
    }
  }
  for (const path of expected.directories) {
    const record = listed.records.get(path);
    if (record === undefined) differences.push(`the directory ${path} is missing`);
    else if (!record.directory) differences.push(`${path} is a file and should be a directory`);
  }
  for (const path of listed.records.keys()) {
    if (!expected.files.has(path) && !expected.directories.has(path)) {
      differences.push(`${path} should not be there`);
    }
  }
  return differences;
}
