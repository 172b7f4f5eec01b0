import type { InputOf } from '../../requests/operation-types.ts';
import type { HiddenName } from '../encryption/names.ts';
import { type SealedTransfer, sealTransfer } from '../session/sealed-transfer.ts';

/** A file to send. */
export interface OutgoingFile {
  readonly name: string;
  /** Its directories and its name, separated by `/`; absent for a file outside a directory. */
  readonly relativePath?: string | null | undefined;
  readonly contentType?: string | null | undefined;
  /** Read in parts while it is sent. `openFile` of `@holdall/client/node` opens a file on disk. */
  readonly content: Blob;
}

/** The announcement of the files to the service, and the keys if they are encrypted. */
export interface Announced {
  readonly body: Pick<InputOf<'POST /api/transfer/sessions'>['body'], 'files' | 'encrypted' | 'salt'>;
  readonly sealed: SealedTransfer | undefined;
}

/** All sessions of one transfer use the same announcement, and therefore the same secret and salt. */
export async function announce(files: readonly OutgoingFile[], isEncrypted: boolean): Promise<Announced> {
  const names: HiddenName[] = files.map(({ name, relativePath = null, contentType = null, content }) => ({
    ...{ name, relativePath, contentType, size: content.size },
  }));
  if (isEncrypted) {
    const sealed = await sealTransfer(names);
    return { body: sealed.announcement, sealed };
  }
  const plain = names.map(({ name, relativePath, contentType, size }) => ({
    ...{ name, size },
    ...(relativePath === null ? {} : { relativePath }),
    ...(contentType === null ? {} : { contentType }),
  }));
  return { body: { files: plain }, sealed: undefined };
}
