import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { atATime } from '../at-a-time.ts';
import { nameOf } from '../files/expected-tree.ts';
import { AT_A_TIME, type Scene } from '../scene.ts';
import { compareListing, type ListedTree, listTree } from './compare-listing.ts';
import { compareZip } from './compare-zip.ts';
import { readOfferedName } from './offered-name.ts';

export async function compareWithDrive(scene: Scene, name: string): Promise<ListedTree> {
  const { drive, expected, log, root } = scene;
  const count = expected.files.size + expected.directories.size;
  return log.run(name, { count }, async (progress) => {
    const listed = await listTree(drive, root, () => progress.addCount());
    for (const difference of compareListing(listed, expected)) log.addDifference(difference);
    return listed;
  });
}

/** Downloads the files with odd names one by one, and the large one: bytes and the offered file name. */
export async function downloadOneByOne(scene: Scene, listed: ListedTree): Promise<void> {
  const { drive, expected, log } = scene;
  const chosen = [...expected.files].filter(([path]) => /^(odd|long|sizes|empty|one big)/.test(path));
  const bytes = chosen.reduce((sum, [, file]) => sum + file.size, 0);
  await log.run('download files one by one', { count: chosen.length, bytes }, (progress) =>
    atATime(AT_A_TIME, chosen, async ([path, file]) => {
      const record = listed.records.get(path);
      if (record === undefined) return;
      const response = await drive.download(record.id);
      const hash = createHash('sha256');
      for await (const chunk of response) {
        hash.update(chunk);
        progress.addBytes(chunk.length);
      }
      if (hash.digest('hex') !== file.sha256) log.addDifference(`download: the bytes of ${path} differ`);
      const offered = readOfferedName(response.headers['content-disposition']);
      if (offered !== nameOf(path)) log.addDifference(`download: ${path} is offered as ${offered}`);
      progress.addCount();
    }),
  );
}

/** Downloads the whole tree as one ZIP into a file, and compares every file's bytes. */
export async function downloadAsZip(scene: Scene, rootId: number, zipFile: string): Promise<void> {
  const { drive, expected, log, root } = scene;
  const bytes = [...expected.files.values()].reduce((sum, file) => sum + file.size, 0);
  await log.run('download all as one zip', { count: expected.files.size, bytes }, async (progress) => {
    const response = await drive.download(rootId);
    response.on('data', (chunk: Buffer) => progress.addBytes(chunk.length));
    await pipeline(response, createWriteStream(zipFile));
    progress.addCount(expected.files.size);
  });
  await log.run('compare the zip', { count: expected.files.size, bytes }, async (progress) => {
    const differences = await compareZip(zipFile, nameOf(root), expected, (more) => {
      progress.addBytes(more);
      progress.addCount();
    });
    for (const difference of differences) log.addDifference(difference);
  });
}
