import type { Blobs } from '../blobs/blobs.ts';
import type { Policies } from '../policies/policies.ts';
import type { UploadSession } from './upload-session.ts';

/**
 * Removes what a session has left in the store and no file has taken: unfinished writes, parts, whole bytes. Called
 * once the session's end is committed. What cannot be removed now, the sweeper takes: nothing claims it any more.
 *
 * @param keptKey the object that has become a file
 */
export async function removeLeftovers(
  session: UploadSession,
  parts: { readonly policies: Policies; readonly blobs: Blobs },
  keptKey?: string,
): Promise<void> {
  const { policyId, objectKey, stored, received, uploadId, size } = session;
  try {
    const store = await parts.policies.getStore(policyId);
    if (uploadId !== null) {
      if (session.mode === 'DIRECT_MULTIPART') {
        if (keptKey !== objectKey) await store.direct?.abortMultipart({ key: objectKey, id: uploadId });
      } else if (keptKey !== objectKey) {
        await store.resumable.abort({ key: objectKey, id: uploadId, size }, received);
      }
    }
  } catch {
    // As said.
  }
  const keys = new Set([objectKey, stored?.objectKey, received.tailKey].filter((key) => key !== keptKey));
  const places = [...keys].flatMap((key) => (key ? [{ policyId, objectKey: key }] : []));
  await parts.blobs.discard(places);
}
