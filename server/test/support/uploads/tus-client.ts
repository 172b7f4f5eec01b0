import { Agent } from 'node:http';
import { DefaultHttpStack, Upload, type UploadOptions } from 'tus-js-client';
import type { Person } from '../app/person.ts';
import { DRIVE_HEADER } from '../drives/shared-drives.ts';
import { TUS } from './tus.ts';

interface ClientOptions extends Pick<UploadOptions, 'chunkSize' | 'uploadDataDuringCreation' | 'uploadUrl'> {
  /** Added to the address at which uploads are created, such as `?drive=7`. */
  readonly query?: string;
  /** The drive that a header names, in the request that creates the upload only. */
  readonly drive?: number;
}

/** Uploads with the real client, which retries immediately after any error. @returns the URL of the upload */
export function uploadByClient(
  person: Person,
  file: { readonly name: string; readonly path?: string; readonly bytes: Buffer },
  { query = '', drive, ...options }: ClientOptions = {},
): Promise<string> {
  const { name: filename, path = '/', bytes } = file;
  return new Promise((resolve, reject) => {
    const upload = new Upload(bytes, {
      endpoint: `${person.url}${TUS}${query}`,
      metadata: { filename, path, filetype: 'application/x-test' },
      headers: { authorization: `Bearer ${person.token}` },
      retryDelays: Array.from({ length: 40 }, () => 10),
      // A new connection for each request, as behind a proxy without keep-alive.
      httpStack: new DefaultHttpStack({ agent: new Agent({ keepAlive: false }) }),
      onBeforeRequest: (request) => {
        if (drive === undefined || request.getMethod() !== 'POST') return;
        request.setHeader(DRIVE_HEADER, String(drive));
      },
      onSuccess: () => resolve(upload.url ?? ''),
      onError: reject,
      ...options,
    });
    upload.start();
  });
}
