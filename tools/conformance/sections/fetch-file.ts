import type { CallOptions, Person } from '../../../server/test/support/app/person.ts';

/** Downloads a file. The service may send its bytes, or redirect to the object store. */
export async function fetchFile(person: Person, path: string, options: CallOptions = {}): Promise<Response> {
  const response = await person.fetch('GET', path, options);
  const address = response.headers.get('location');
  if (response.status !== 302 || address === null) return response;
  await response.body?.cancel();
  const { range } = options.headers ?? {};
  return await fetch(address, { headers: range === undefined ? {} : { range } });
}
