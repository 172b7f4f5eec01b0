import { defaultOptions, type PreviousUpload } from 'tus-js-client';
import { addressOf } from '../../api/address-of.ts';
import { runTusUpload } from '../uploads/service/tus-upload.ts';
import type { Watch } from '../uploads/service/upload-service.ts';
import { UploadRemoved } from './visitor-uploads.ts';

/**
 * Files up to this size are sent in one request. Uploads of larger files can be resumed, so they first need
 * an address.
 */
const MAX_AT_ONCE_BYTES = 1_048_576;

/** The service ends uploads three hours after their last byte, and a day after they began. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

/** An upload of an earlier visit that has not ended. */
export type Interrupted = PreviousUpload;

interface Destination {
  readonly token: string;
  /** Undefined if the link takes no directories. */
  readonly path: string | undefined;
  /** The folders from which the file was chosen. They distinguish files with the same name. */
  readonly folders: string;
  /**
   * Whether the link currently takes directories. Its owner may have changed that since the file was chosen.
   */
  readonly takesPaths: boolean;
  /** The name of the visitor; may be empty. */
  readonly sender: string;
}

/**
 * Sends a file to a folder link with the tus protocol. If a reload interrupts the upload, it resumes when the
 * visitor chooses the file again, because the browser's storage has its address.
 * @throws HoldallError; `signal.reason`
 */
export function sendToLink(
  file: File,
  { token, path, folders, takesPaths, sender }: Destination,
  watch: Watch,
): Promise<void> {
  const metadata = {
    filename: file.name,
    modifiedAt: new Date(file.lastModified).toISOString(),
    ...(path === undefined || !takesPaths ? {} : { path }),
    ...(sender === '' ? {} : { sender }),
  };
  const options = {
    endpoint: addressOf('POST /api/v2/folder-links/{token}/tus', { path: { token } }),
    metadata,
    uploadDataDuringCreation: file.size <= MAX_AT_ONCE_BYTES,
    storeFingerprintForResuming: true,
    fingerprint: async () =>
      `${prefixOf(token)}${path ?? ''} ${folders}/${file.name} ${file.size} ${file.lastModified}`,
  };
  return runTusUpload(
    file,
    {
      options,
      findPrevious: async (upload) => (await upload.findPreviousUploads()).find(isRecent),
      isFinal: (reason) => reason instanceof UploadRemoved,
    },
    watch,
  );
}

/** The interrupted uploads to this link that can be resumed. Older ones are removed. */
export async function findInterrupted(token: string): Promise<readonly Interrupted[]> {
  const { urlStorage } = defaultOptions;
  const all = (await urlStorage.findAllUploads()).filter(({ urlStorageKey }) =>
    urlStorageKey.includes(prefixOf(token)),
  );
  for (const upload of all) if (!isRecent(upload)) await urlStorage.removeUpload(upload.urlStorageKey);
  return all.filter(isRecent);
}

function prefixOf(token: string): string {
  return `holdall folder link ${token} `;
}

function isRecent({ creationTime }: PreviousUpload): boolean {
  return Date.parse(creationTime) > Date.now() - KEPT_MS;
}
