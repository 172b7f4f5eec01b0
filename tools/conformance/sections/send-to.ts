import assert from 'node:assert/strict';
import type { UploadTarget } from '../../../server/src/http/fields.ts';
import type { Person } from '../../../server/test/support/app/person.ts';

/**
 * Sends bytes to the target that the service named: the object store or the service itself. Returns the ETag.
 */
export async function sendTo(
  person: Person,
  { direct, uploadUrl, method, headers }: UploadTarget,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const sender = direct ? person.with(undefined) : person;
  const response = await sender.fetch(method, uploadUrl, { headers, body: bytes });
  assert.equal(response.status, 200, await response.text());
  return response.headers.get('etag') ?? '';
}
