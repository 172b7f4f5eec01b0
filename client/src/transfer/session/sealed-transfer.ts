import { toBase64url } from '../encryption/base64url.ts';
import { newSalt, TransferKeys } from '../encryption/keys.ts';
import { type HiddenName, sealName } from '../encryption/names.ts';
import { sealedSizeOf } from '../encryption/records.ts';
import { newSecret } from '../encryption/secret.ts';

/** What the sender tells the service about encrypted files. */
interface SealedAnnouncement {
  readonly encrypted: true;
  readonly salt: string;
  readonly files: { readonly name: string; readonly size: number; readonly encryptedName: string }[];
}

/** The secret of a transfer that this side encrypts, and its announcement of the files. */
export interface SealedTransfer {
  readonly secret: string;
  readonly keys: TransferKeys;
  readonly announcement: SealedAnnouncement;
}

/** The secret and the keys for the files of one transfer. They must not be used for other files. */
export interface TransferSecret {
  readonly secret: string;
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly keys: TransferKeys;
}

/** Takes some tenths of a second. */
export async function makeTransferSecret(): Promise<TransferSecret> {
  const secret = newSecret();
  const salt = newSalt();
  return { secret, salt, keys: await TransferKeys.derive(secret, salt) };
}

/** @param made a secret that was not used before; a new one if absent */
export async function sealTransfer(
  files: readonly HiddenName[],
  made?: Promise<TransferSecret>,
): Promise<SealedTransfer> {
  const { secret, salt, keys } = await (made ?? makeTransferSecret());
  const sealed = files.map(async (file, index) => ({
    name: `file-${index}`,
    size: sealedSizeOf(file.size),
    encryptedName: await sealName(await keys.ofName(index), shorten(file)),
  }));
  const announced = { encrypted: true, salt: toBase64url(salt), files: await Promise.all(sealed) } as const;
  return { secret, keys, announcement: announced };
}

/** The maximum size of a name's JSON in bytes, so that the encrypted name has at most 4,096 characters. */
const MAX_NAME_BYTES = 3_044;

/** Drops the outermost folders of a file whose path is too long. */
function shorten(file: HiddenName): HiddenName {
  let { relativePath } = file;
  const isTooLong = () =>
    new TextEncoder().encode(JSON.stringify({ ...file, relativePath })).length > MAX_NAME_BYTES;
  while (relativePath?.includes('/') && isTooLong()) {
    relativePath = relativePath.slice(relativePath.indexOf('/') + 1);
  }
  return { ...file, relativePath };
}
