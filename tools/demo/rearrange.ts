import { type ExpectedTree, nameOf, parentOf } from './files/expected-tree.ts';
import { fileFromText } from './files/source-file.ts';
import { findRecord, inDrive, type Scene } from './scene.ts';
import type { DriveRecord } from './service/drive-client.ts';
import { CallFailed } from './service/http-client.ts';

/** Something that was recycled, with its content. */
export interface Recycled {
  readonly id: number;
  readonly path: string;
  readonly tree: ExpectedTree;
}

const RENAMED = { 'odd directories': 'renamed “odd” directories; + 100%', doc: 'documents of this machine' };
const MOVED = ['deep', 'node_modules'];
const COPIED = ['sizes', 'odd names', 'documents of this machine'];
const RECYCLED = ['long names', 'copies/odd names', 'moved/deep', 'empty directories'];

/** Renames, moves and copies directories, in the drive and in the expected tree. */
export async function rearrange(scene: Scene): Promise<void> {
  const { drive, expected, log } = scene;
  await log.run('rename, move, copy directories', undefined, async (progress) => {
    for (const [path, name] of Object.entries(RENAMED)) {
      if (!expected.directories.has(path)) continue;
      const { id } = await findRecord(scene, path);
      checkPath(scene, await drive.rename(id, name), name);
      expected.move(path, name);
      progress.addCount();
    }
    for (const [paths, target] of [
      [MOVED, 'moved'],
      [COPIED, 'copies'],
    ] as const) {
      await drive.makeDirectory(inDrive(scene, target));
      expected.addDirectory(target);
      for (const path of paths.filter((candidate) => expected.directories.has(candidate))) {
        const { id } = await findRecord(scene, path);
        const goal = `${target}/${nameOf(path)}`;
        const act =
          target === 'moved'
            ? drive.move(id, inDrive(scene, target))
            : drive.copy(id, inDrive(scene, target));
        checkPath(scene, await act, goal);
        if (target === 'moved') expected.move(path, goal);
        else expected.copy(path, goal);
        progress.addCount();
      }
    }
  });
}

export async function recycle(scene: Scene): Promise<readonly Recycled[]> {
  const { drive, expected, log } = scene;
  return log.run('recycle directories', undefined, async (progress) => {
    const recycled: Recycled[] = [];
    for (const path of RECYCLED) {
      const { id } = await findRecord(scene, path);
      await drive.recycle(id);
      recycled.push({ id, path, tree: expected.remove(path) });
      progress.addCount();
    }
    const { items } = await drive.recycleBin(0, 100);
    for (const { id, path } of recycled) {
      if (!items.some((record) => record.id === id)) log.addDifference(`${path} is not in the recycle bin`);
    }
    return recycled;
  });
}

export async function restore(scene: Scene, recycled: readonly Recycled[]): Promise<void> {
  const { drive, expected, log } = scene;
  await log.run('restore directories', undefined, async (progress) => {
    for (const { id, path, tree } of recycled) {
      checkPath(scene, await drive.restore(id), path);
      expected.restore(tree);
      progress.addCount();
    }
  });
}

/** Requests that a drive must refuse, so that nothing is lost or duplicated. */
export async function tryForbiddenActs(scene: Scene): Promise<void> {
  const { drive, log } = scene;
  const twin = `odd names/NFC Übergrößenträger café.txt`.normalize('NFD');
  const acts: readonly (readonly [string, number, () => Promise<unknown>])[] = [
    ['a directory with a name that is taken', 409, () => drive.makeDirectory(inDrive(scene, 'sizes'))],
    [
      'a file whose name differs in its normal form only',
      409,
      () => drive.upload(inDrive(scene, parentOf(twin)), nameOf(twin), fileFromText(twin, 'twin'), () => {}),
    ],
    [
      'a directory moved into itself',
      400,
      async () => drive.move((await findRecord(scene, 'moved')).id, inDrive(scene, 'moved/deep')),
    ],
    ['a directory named ".."', 400, () => drive.makeDirectory(`${inDrive(scene, 'sizes')}/..`)],
  ];
  await log.run('acts that must be refused', { count: acts.length }, async (progress) => {
    for (const [name, status, act] of acts) {
      const outcome = await act().then(
        () => 200,
        (error: unknown) => {
          if (error instanceof CallFailed) return error.status;
          throw error;
        },
      );
      if (outcome !== status) log.addDifference(`${name} was answered with ${outcome} instead of ${status}`);
      progress.addCount();
    }
  });
}

function checkPath(scene: Scene, record: DriveRecord, path: string): void {
  const wanted = inDrive(scene, path);
  if (record.path !== wanted) scene.log.addDifference(`${record.path} was answered instead of ${wanted}`);
}
