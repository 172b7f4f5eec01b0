import { errorOf } from '../../../../../../client/src/errors/read-error.ts';
import type { PieceCalls } from './send-pieces.ts';
import { sendWithProgress } from './send-with-progress.ts';

const TUS_HEADERS = { 'tus-resumable': '1.0.0' };

/** @param address the URL that creates an upload of the file */
export function pieceCalls(address: string, signal: AbortSignal): PieceCalls {
  return {
    begin: async (size) => {
      const headers = {
        ...TUS_HEADERS,
        'upload-length': `${size}`,
        // A placeholder: the service uses the announced name of the file.
        'upload-metadata': `filename ${btoa('file')}`,
      };
      const { header } = await sendWithProgress({ method: 'POST', address, headers, signal });
      const location = header('location');
      if (location === null) throw errorOf(0, 'The new upload has no address.');
      return location;
    },
    append: async (upload, offset, body, onBytes) => {
      const headers = {
        ...TUS_HEADERS,
        'upload-offset': `${offset}`,
        'content-type': 'application/offset+octet-stream',
      };
      const call = { method: 'PATCH', address: upload, headers, body, onBytes, signal };
      return readOffset((await sendWithProgress(call)).header);
    },
    findOffset: async (upload) => {
      const call = { method: 'HEAD', address: upload, headers: TUS_HEADERS, signal };
      return readOffset((await sendWithProgress(call)).header);
    },
  };
}

function readOffset(header: (name: string) => string | null): number {
  const text = header('upload-offset') ?? '';
  if (!/^\d{1,16}$/.test(text)) throw errorOf(0, 'The service does not say how much it has.');
  return Number(text);
}
