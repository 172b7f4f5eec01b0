import type { Holdall } from '../app/holdall.ts';

/** Changes columns of the default policy, as an admin would; counts at once. */
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
  // What an instance remembers of the policies is then too old.
  holdall.clock.advance(2_000);
}

/** Everything goes through the service, whatever the store could do by itself. */
export function withoutDirect(holdall: Holdall): Promise<void> {
  return changePolicy(holdall, { direct_upload: 0, multipart_upload: 0, signed_download_url: 0 });
}
