import { atATime } from './at-a-time.ts';
import { nameOf, parentOf } from './files/expected-tree.ts';
import type { SourceFile, SourceTree } from './files/source-file.ts';
import { AT_A_TIME, inDrive, type Scene } from './scene.ts';
import { CallFailed } from './service/http-client.ts';

/** Creates every directory, level by level, because one that its children had created would be a conflict. */
export async function makeDirectories(scene: Scene, source: SourceTree): Promise<void> {
  const { drive, expected, log } = scene;
  const levels = toLevels(source);
  const count = levels.reduce((sum, level) => sum + level.length, 0);
  await log.run('make directories', { count }, async (progress) => {
    for (const level of levels) {
      await atATime(AT_A_TIME, level, async (path) => {
        await noteRefusal(scene, path, async () => {
          await drive.makeDirectory(inDrive(scene, path));
          expected.addDirectory(path.normalize('NFC'));
        });
        progress.addCount();
      });
    }
  });
}

export async function uploadFiles(scene: Scene, name: string, files: readonly SourceFile[]): Promise<void> {
  const { drive, expected, log } = scene;
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  await log.run(name, { count: files.length, bytes }, (progress) =>
    atATime(AT_A_TIME, files, async (file) => {
      await noteRefusal(scene, file.path, async () => {
        const directory = inDrive(scene, parentOf(file.path));
        const stored = await drive.upload(directory, nameOf(file.path), file, (more) =>
          progress.addBytes(more),
        );
        expected.addFile(file.path.normalize('NFC'), stored);
      });
      progress.addCount();
    }),
  );
}

// A refused file is a difference, and the rest continues; an unreachable service ends everything.
async function noteRefusal(scene: Scene, path: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof CallFailed)) throw new Error(`at ${path}`, { cause: error });
    scene.log.addDifference(`${path}: ${error.message}`);
  }
}

/** All directories of the tree as they are written in it, by depth; two forms of one name count once. */
function toLevels(source: SourceTree): readonly (readonly string[])[] {
  const byNormalForm = new Map<string, string>();
  const add = (path: string) => {
    for (let at = path; at !== ''; at = parentOf(at)) byNormalForm.set(at.normalize('NFC'), at);
  };
  for (const directory of source.directories) add(directory);
  for (const file of source.files) add(parentOf(file.path));
  const levels: string[][] = [];
  for (const path of byNormalForm.values()) {
    const depth = path.split('/').length - 1;
    levels[depth] ??= [];
    levels[depth].push(path);
  }
  return levels;
}
