import type { TransferRecord } from '../../generated/records.ts';
import { fromBase64url } from '../encryption/base64url.ts';
import { SALT_BYTES, TransferKeys } from '../encryption/keys.ts';
import { openName } from '../encryption/names.ts';
import { CannotOpen } from '../encryption/records.ts';

/** A session with the unencrypted names and sizes of its files, and with the means to decrypt them. */
export interface OpenedTransfer {
  readonly session: TransferRecord;
  /** Undefined for a session that is not encrypted. */
  readonly encryption: Encryption | undefined;
}

export interface Encryption {
  /** In its canonical form. */
  readonly secret: string;
  readonly keys: TransferKeys;
  /** The key of a file's content. The index of a file is its place in the whole session. */
  readonly keyOf: (fileId: string) => Promise<CryptoKey>;
}

/**
 * Whether someone removed the encryption. Any text after the code can only be a secret, even if it was
 * mistyped or truncated.
 */
export function lacksEncryption(
  { encrypted }: Pick<TransferRecord, 'encrypted'>,
  behindCode: string,
): boolean {
  return !encrypted && /[^\s\p{Pd}]/u.test(behindCode);
}

/** Opens a session, with the secret if it is encrypted. @throws CannotOpen */
export async function openWith(session: TransferRecord, secret: string | undefined): Promise<OpenedTransfer> {
  // Otherwise an attacker who removes the encryption could replace the received files.
  if (secret === undefined && !session.encrypted) return { session, encryption: undefined };
  return await openTransfer(session, secret ?? '');
}

/** @throws CannotOpen if the secret does not belong to this session */
async function openTransfer(session: TransferRecord, secret: string): Promise<OpenedTransfer> {
  const salt = fromBase64url(session.salt ?? '');
  if (!session.encrypted || salt?.length !== SALT_BYTES) throw new CannotOpen();
  const keys = await TransferKeys.derive(secret, salt);
  const files = session.files.map(async (file, index) => {
    const hidden = await openName(await keys.ofName(index), file.encryptedName ?? '', file.size);
    return { ...file, ...hidden };
  });
  const indexes = new Map(session.files.map(({ id }, index) => [id, index]));
  const keyOf = async (fileId: string) => {
    const index = indexes.get(fileId);
    if (index === undefined) throw new CannotOpen();
    return await keys.ofFile(index);
  };
  return {
    session: { ...session, files: await Promise.all(files) },
    encryption: { secret, keys, keyOf },
  };
}

/** The same transfer with only one of its files. */
export function onlyFile({ session, encryption }: OpenedTransfer, index: number): OpenedTransfer {
  return { session: { ...session, files: session.files.slice(index, index + 1) }, encryption };
}
