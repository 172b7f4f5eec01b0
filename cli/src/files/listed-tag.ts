import { ConflictError, type EntryRecord, type Holdall, ProtocolError } from '../../../client/src/client.ts';

/**
 * The tag of the content that a record describes, for `If-Match`. The record of a list has none, so it is
 * asked for; then the record is read again, to see that the tag is not that of a later content.
 * @throws ConflictError if the file has another content by now; ProtocolError if the service has sent no tag, as
 *   behind a proxy that removes it; HoldallError
 */
export async function findListedTag(
  holdall: Holdall,
  listed: Pick<EntryRecord, 'id' | 'size' | 'modifiedAt' | 'updatedAt'>,
  signal: AbortSignal,
): Promise<string> {
  const { etag } = await holdall.downloads.head(listed.id, { signal });
  const { size, modifiedAt, updatedAt } = await holdall.drive.get(listed.id, { signal });
  const isSame = size === listed.size && modifiedAt === listed.modifiedAt && updatedAt === listed.updatedAt;
  if (!isSame) throw new ConflictError('The file was changed in the drive meanwhile.');
  // Without a tag, the upload could overwrite a content that this program has not seen.
  if (etag === undefined)
    throw new ProtocolError('The service has sent no tag of the file, so it is not replaced.');
  return etag;
}
