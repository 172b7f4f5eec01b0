import { open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { flushDirectory } from '../base/bytes/flush-directory.ts';
import type { FileDigest } from './row-file.ts';

/** The version of the format. It changes when older programs cannot read newer backups. */
export const FORMAT = 1;

/** The name of the manifest, which is written last: a backup consists of what its manifest names. */
const MANIFEST = 'manifest.json';

/** The content of a backup. */
export interface Manifest {
  readonly format: typeof FORMAT;
  /** The version of Holdall that made the backup. */
  readonly version: string;
  /** ISO 8601: the time of the snapshot. */
  readonly takenAt: string;
  /** The id that the database and its store share. */
  readonly driveId: string;
  readonly schemaSteps: readonly string[];
  /** The name of the directory of the row files. */
  readonly rows: string;
  readonly tables: readonly TableFile[];
  readonly objects: FileDigest & { readonly bytes: number };
  /** Objects whose bytes were not available, as sentences. */
  readonly missing: readonly string[];
}

export interface TableFile extends FileDigest {
  readonly name: string;
  readonly columns: readonly string[];
  /** The highest id that the table has generated; 0 for none. */
  readonly lastId: number;
}

/** Replaces the previous manifest atomically and durably. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const file = path.join(directory, MANIFEST);
  const draft = `${file}.new`;
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  await flushDirectory(directory);
}

/** @throws Error with a sentence for the operator when there is no manifest that this program can read */
export async function readManifest(directory: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(path.join(directory, MANIFEST), 'utf8');
  } catch (error) {
    throw new Error(`There is no complete backup in ${directory}.`, { cause: error });
  }
  const manifest = parse(text);
  if (manifest === undefined) throw new Error(`The manifest of the backup in ${directory} is damaged.`);
  if (manifest.format !== FORMAT) {
    throw new Error(
      `The backup in ${directory} has the format ${manifest.format}, but this version of Holdall reads ${FORMAT}.`,
    );
  }
  return manifest;
}

/** Checks the members that a restore relies on. Rows and objects are checked against their digests later. */
function parse(text: string): Manifest | undefined {
  try {
    // Checked below.
    const manifest = JSON.parse(text) as Manifest;
    const isComplete =
      Array.isArray(manifest.tables) &&
      Array.isArray(manifest.schemaSteps) &&
      Array.isArray(manifest.missing) &&
      /^rows-[\w-]+$/.test(manifest.rows) &&
      typeof manifest.objects.sha256 === 'string' &&
      manifest.tables.every(
        ({ name, columns }: TableFile) => /^\w+$/.test(name) && columns.every((each) => /^\w+$/.test(each)),
      );
    return isComplete || manifest.format !== FORMAT ? manifest : undefined;
  } catch {
    return undefined;
  }
}
