import { Agent } from 'node:http';
import { DefaultHttpStack, Upload } from 'tus-js-client';
import type { Person } from '../app/person.ts';
import { TUS } from './tus.ts';

/** Uploads with the real client, which retries immediately after any error. @returns the URL of the upload */
export function uploadByClient(
  person: Person,
  file: { readonly name: string; readonly path?: string; readonly bytes: Buffer },
  options: { readonly chunkSize?: number; readonly uploadDataDuringCreation?: boolean } = {},
): Promise<string> {
  const { name: filename, path = '/', bytes } = file;
  return new Promise((resolve, reject) => {
    const upload = new Upload(bytes, {
      endpoint: `${person.url}${TUS}`,
      metadata: { filename, path, filetype: 'application/x-test' },
      headers: { authorization: `Bearer ${person.token}` },
      retryDelays: Array.from({ length: 40 }, () => 10),
      // A new connection for each request, as behind a proxy without keep-alive.
      httpStack: new DefaultHttpStack({ agent: new Agent({ keepAlive: false }) }),
      onSuccess: () => resolve(upload.url ?? ''),
      onError: reject,
      ...options,
    });
    upload.start();
  });
}
