import type { Holdall } from '../app/holdall.ts';

/** Changes columns of the default policy, as an administrator would. Takes effect at once. */
export async function changePolicy(
  holdall: Holdall,
  change: Partial<{
    direct_upload: 0 | 1;
    multipart_upload: 0 | 1;
    signed_download_url: 0 | 1;
    max_size_bytes: number;
  }>,
): Promise<void> {
  await holdall.app.database.transact((tx) =>
    tx.updateTable('storage_policy').set(change).where('is_default', '=', 1).execute(),
  );
  // Instances cache the policies for two seconds.
  holdall.clock.advance(2_000);
}

/** Makes all uploads and downloads go through the service, even if the store supports direct transfers. */
export function withoutDirect(holdall: Holdall): Promise<void> {
  return changePolicy(holdall, { direct_upload: 0, multipart_upload: 0, signed_download_url: 0 });
}
