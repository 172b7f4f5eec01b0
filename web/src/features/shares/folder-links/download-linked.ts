import { ApiError } from '../../../api/api-error.ts';
import { ask } from '../../../api/ask.ts';
import type { SignedUrl } from '../../../api/contract.ts';
import { startDownload } from '../../../common/downloads.ts';
import { messages } from '../../../messages/i18n.ts';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import { toFolderLink, toLinkedDownload } from './folder-link-addresses.ts';
import { enterAgain } from './use-folder-link.ts';

/** The maximum number of paths in one request. */
const MAX_PATHS = 1_000;

/**
 * Downloads a file, or one archive of directories and several entries. Never throws.
 * @param paths below the link
 */
export async function downloadLinked(token: string, paths: readonly string[]): Promise<void> {
  if (paths.length > MAX_PATHS) return notify(messages.t('folderLinks.tooMany'));
  try {
    startDownload(toLinkedDownload(token, paths) ?? (await fetchAddress(token, paths)), '');
  } catch (error) {
    notifyError(error);
  }
}

/** Requests an address for more paths than fit into one address. @throws ApiError */
async function fetchAddress(token: string, paths: readonly string[]): Promise<string> {
  const fetchOnce = () => ask<SignedUrl>('POST', `${toFolderLink(token)}/downloads`, { body: { paths } });
  const { url } = await fetchOnce().catch(async (error: unknown) => {
    if (!(error instanceof ApiError && error.status === 403 && (await enterAgain(token)))) throw error;
    return await fetchOnce();
  });
  return url;
}
