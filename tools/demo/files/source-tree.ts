import path from 'node:path';
import { makeFillers, makeUpFiles } from './made-up-files.ts';
import { findRealFiles } from './real-files.ts';
import { generatedFile, type SourceFile, type SourceTree } from './source-file.ts';

const FEWEST_FILES = 3_000;
const PROJECT = path.join(import.meta.dirname, '..', '..', '..');

/** The tree that the demonstration uploads: real files of this machine and generated ones. */
export function collectSourceTree(): SourceTree {
  const parts = [
    findRealFiles({ diskPath: '/usr/share/doc', name: 'doc', maxFiles: 2_500 }),
    findRealFiles({ diskPath: path.join(PROJECT, 'node_modules'), name: 'node_modules', maxFiles: 1_500 }),
    makeUpFiles(),
  ];
  const found = parts.flatMap(({ files }) => files);
  const files = [...found, ...makeFillers(FEWEST_FILES - found.length)];
  return { files: withoutTwins(files), directories: parts.flatMap(({ directories }) => directories) };
}

export function makeBigFile(bytes: number): SourceFile {
  return generatedFile('one big file.bin', bytes, 42);
}

// A disk can store two names that differ only in their normal form; a drive that stores NFC cannot.
function withoutTwins(files: readonly SourceFile[]): readonly SourceFile[] {
  const first = new Map<string, SourceFile>();
  for (const file of files) {
    const key = file.path.normalize('NFC');
    if (!first.has(key)) first.set(key, file);
  }
  return [...first.values()];
}
