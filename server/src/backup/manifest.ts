import { open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { flushDirectory } from '../base/bytes/flush-directory.ts';
import type { FileDigest } from './row-file.ts';

/** Changes when an older program could not read what a newer one writes. */
export const FORMAT = 1;

/** Of the directory, written last: a backup is what its manifest names. */
const MANIFEST = 'manifest.json';

/** What a backup consists of. */
export interface Manifest {
  readonly format: typeof FORMAT;
  /** Which version of Holdall made it. */
  readonly version: string;
  /** ISO-8601: everything is as it was then. */
  readonly takenAt: string;
  /** Of the database and its store, as both keep it. */
  readonly driveId: string;
  readonly schemaSteps: readonly string[];
  /** The directory of the row files, in that of the backup. */
  readonly rows: string;
  readonly tables: readonly TableFile[];
  readonly objects: FileDigest & { readonly bytes: number };
  /** Objects whose bytes were not to be had, in sentences. */
  readonly missing: readonly string[];
}

export interface TableFile extends FileDigest {
  readonly name: string;
  readonly columns: readonly string[];
  /** The highest id that the table has given; 0 for none. */
  readonly lastId: number;
}

/** Takes the place of the one before in one step. */
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

/** @throws Error with a sentence for a person where there is none that this program can read */
export async function readManifest(directory: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(path.join(directory, MANIFEST), 'utf8');
  } catch (error) {
    throw new Error(`There is no whole backup in ${directory}.`, { cause: error });
  }
  const manifest = parse(text);
  if (manifest === undefined) throw new Error(`The manifest of the backup in ${directory} is damaged.`);
  if (manifest.format !== FORMAT) {
    throw new Error(
      `The backup in ${directory} has the format ${manifest.format}, and this version of Holdall reads ${FORMAT}.`,
    );
  }
  return manifest;
}

/** What is needed to go on is looked at; rows and objects are held against their digests. */
function parse(text: string): Manifest | undefined {
  try {
    // Looked at below.
    const manifest = JSON.parse(text) as Manifest;
    const isWhole =
      Array.isArray(manifest.tables) &&
      Array.isArray(manifest.schemaSteps) &&
      Array.isArray(manifest.missing) &&
      /^rows-[\w-]+$/.test(manifest.rows) &&
      typeof manifest.objects.sha256 === 'string' &&
      manifest.tables.every(
        ({ name, columns }: TableFile) => /^\w+$/.test(name) && columns.every((each) => /^\w+$/.test(each)),
      );
    return isWhole || manifest.format !== FORMAT ? manifest : undefined;
  } catch {
    return undefined;
  }
}
