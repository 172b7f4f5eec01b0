import { notifications } from '@mantine/notifications';
import { ApiError } from '../../api/api-error.ts';
import { fetchAnswer } from '../../api/ask.ts';
import type { EntryRecord } from '../../api/contract.ts';
import { saveFile, startEach } from '../../common/downloads.ts';
import { formatBytes } from '../../messages/formats.ts';
import { messages } from '../../messages/i18n.ts';
import { frame, tellError } from '../../ui/tell.ts';
import type { Chosen } from '../entries/entry-source.ts';
import { downloadFile } from '../entries/signed-address.ts';
import { openScratchFile } from './scratch-file.ts';

/** Downloads each entry: files from their signed URL, folders as a ZIP. Never throws. */
export async function download(chosen: Chosen<EntryRecord>): Promise<void> {
  try {
    const entries = await chosen.collect();
    await startEach(
      entries.map((entry) => () => (entry.directory ? downloadFolder(entry) : downloadFile(entry))),
    );
  } catch (error) {
    tellError(error);
  }
}

/**
 * A folder has no signed URL, so its ZIP is fetched with the access token and written to disk as it arrives.
 * The browser then saves a file that already exists on disk.
 */
async function downloadFolder({ id, filename }: EntryRecord): Promise<void> {
  const stop = new AbortController();
  const name = `${filename}.zip`;
  const progress = showProgress(name, () => stop.abort());
  try {
    const response = await fetchAnswer('GET', `/api/files/download/${id}`, { signal: stop.signal });
    if (!response.ok || response.body === null)
      throw new ApiError(response.status, `HTTP ${response.status}`);
    const counted = response.body.pipeThrough(countBytes(progress.tell));
    const scratch = await openScratchFile();
    const file = await scratch.take(counted, stop.signal);
    void saveFile(file, name).then(() => scratch.drop());
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    progress.end();
  }
}

function countBytes(onCount: (bytes: number) => void) {
  let bytes = 0;
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      onCount(bytes);
      controller.enqueue(chunk);
    },
  });
}

/** Progress is shown at most this often, because every update renders. */
const TELL_MS = 250;

function showProgress(name: string, onStop: () => void) {
  const say = (bytes: number) => messages.t('drive.packing', { name, size: formatBytes(bytes) });
  let told = 0;
  let isEnded = false;
  const id = notifications.show({
    ...frame(),
    closeButtonProps: { 'aria-label': messages.t('drive.stopDownload') },
    message: say(0),
    loading: true,
    autoClose: false,
    onClose: () => isEnded || onStop(),
  });
  return {
    tell: (bytes: number) => {
      if (Date.now() - told < TELL_MS) return;
      told = Date.now();
      notifications.update({ id, message: say(bytes) });
    },
    end: () => {
      isEnded = true;
      notifications.hide(id);
    },
  };
}
