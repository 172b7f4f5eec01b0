import { ConflictError, type EntryRecord, type Holdall, ProtocolError } from '../../../client/src/client.ts';

/**
 * The ETag of the content that a listed record describes, for `If-Match`. Lists contain no ETags, so it is
 * requested. Then the record is read again, to make sure that the ETag is not one of later content.
 * @throws ConflictError if the file has changed; ProtocolError if the response has no ETag, for example
 *   because a proxy removed it; HoldallError
 */
export async function findListedTag(
  holdall: Holdall,
  listed: Pick<EntryRecord, 'id' | 'size' | 'modifiedAt' | 'updatedAt'>,
  signal: AbortSignal,
): Promise<string> {
  const { etag } = await holdall.downloads.head(listed.id, { signal });
  const { size, modifiedAt, updatedAt } = await holdall.drive.get(listed.id, { signal });
  const isSame = size === listed.size && modifiedAt === listed.modifiedAt && updatedAt === listed.updatedAt;
  if (!isSame) throw new ConflictError('The file has changed in the drive.');
  // Without an ETag, the upload could overwrite content that this program has not seen.
  if (etag === undefined) throw new ProtocolError('The service sent no ETag, so the file was not replaced.');
  return etag;
}
