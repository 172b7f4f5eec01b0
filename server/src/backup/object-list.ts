import { readRowFile } from './row-file.ts';

/** Among the row files: one line for each object of the backup. */
export const OBJECTS = 'objects.jsonl';

/** An object of the backup: a line of its list, which is in the order of the keys. */
export interface ListedObject {
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
}

/** @param file just written, or held against its digest */
export async function* listedObjects(file: string): AsyncGenerator<ListedObject> {
  for await (const objects of readRowFile(file)) yield* objects as ListedObject[];
}
