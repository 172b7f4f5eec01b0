import type { EntryRecord } from '../../../../../client/src/client.ts';

/** A file or folder to which a link leads. */
export interface LinkTarget {
  readonly id: number;
  readonly filename: string;
  readonly contentType: string | null;
  readonly directory: boolean;
  /** Undefined if the target is in the bin. */
  readonly path: string | undefined;
}

/** The target of a link to an entry of the list. */
export function targetOf({ id, filename, contentType, directory, path }: EntryRecord): LinkTarget {
  return { id, filename, contentType, directory, path };
}
