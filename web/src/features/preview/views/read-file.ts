import { errorOf } from '../../../../../client/src/errors/read-error.ts';
import { fetchAnswer } from '../../../api/ask.ts';

/** The whole file at an address. @throws HoldallError */
export async function readFile(address: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetchAnswer(address, { signal });
  if (!response.ok) throw errorOf(response.status, 'The file could not be read.');
  return await response.blob();
}
