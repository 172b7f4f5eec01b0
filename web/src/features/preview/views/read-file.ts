import { ApiError } from '../../../api/api-error.ts';
import { fetchAnswer } from '../../../api/ask.ts';

/** The whole file at an address. @throws ApiError */
export async function readFile(address: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetchAnswer('GET', address, { signal });
  if (!response.ok) throw new ApiError(response.status, 'The file could not be read.');
  return await response.blob();
}
