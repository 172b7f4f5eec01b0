import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { ask } from '../../../api/ask.ts';
import { startDownload } from '../../../common/downloads.ts';
import { messages } from '../../../messages/i18n.ts';
import { notifyError, notifyText } from '../../../ui/notifications/notify.ts';
import { toLinkedDownload } from './folder-link-addresses.ts';
import { enterAgain, mayMeanEnd, needsPassword, useRefreshFolderLink } from './use-folder-link.ts';

/** The maximum number of paths in one request. */
const MAX_PATHS = 1_000;

/**
 * Downloads a single file, or an archive of directories or several entries. It first checks the link, so that
 * the page can say if the link has ended. Otherwise the browser itself would show the error.
 * @returns a function that never throws; its paths are below the link
 */
export function useLinkedDownload(token: string): (paths: readonly string[]) => Promise<void> {
  const refresh = useRefreshFolderLink(token);
  return async (paths) => {
    if (paths.length > MAX_PATHS) return notifyText(messages.t('folderLinks.tooMany'));
    try {
      if (!(await isOpen(token))) return await refresh();
      startDownload(toLinkedDownload(token, paths) ?? (await fetchAddress(token, paths)), '');
    } catch (error) {
      notifyError(error);
    }
  };
}

/** Whether the link exists and needs no password. @throws HoldallError if that is unknown */
async function isOpen(token: string): Promise<boolean> {
  try {
    return !(await needsPassword(token));
  } catch (error) {
    if (mayMeanEnd(error)) return false;
    throw error;
  }
}

/** Requests a download URL for more paths than fit into a single URL. @throws HoldallError */
async function fetchAddress(token: string, paths: readonly string[]): Promise<string> {
  const fetchOnce = () =>
    ask('POST /api/v2/folder-links/{token}/downloads', { path: { token }, body: { paths } });
  const { url } = await fetchOnce().catch(async (error: unknown) => {
    if (!(error instanceof HoldallError && error.status === 403 && (await enterAgain(token)))) throw error;
    return await fetchOnce();
  });
  return url;
}
