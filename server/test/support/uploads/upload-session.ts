import assert from 'node:assert/strict';
import type { UploadTarget } from '../../../src/http/fields.ts';
import type { SessionRecord, SessionWithRuntime } from '../../../src/uploads/contract.ts';
import type { Answer, Person } from '../app/person.ts';

export const SESSIONS = '/api/v2/files/upload-sessions';

/** The requests of a person for one upload session. Each call returns the answer, whatever its status. */
export class SessionCalls {
  readonly person: Person;
  readonly id: string;

  constructor(person: Person, id: string) {
    this.person = person;
    this.id = id;
  }

  /** The same session, used by another user or at another instance. */
  by(person: Person): SessionCalls {
    return new SessionCalls(person, this.id);
  }

  get(): Promise<Answer<SessionWithRuntime>> {
    return this.#call('GET', '');
  }

  cancel(): Promise<Answer<SessionRecord>> {
    return this.#call('DELETE', '');
  }

  send(content: string | Uint8Array<ArrayBuffer>, part = 'file'): Promise<Answer<SessionRecord>> {
    const form = new FormData();
    form.set(part, new Blob([content]), 'ignored name');
    return this.#call('POST', '/content', form);
  }

  prepare(): Promise<Answer<UploadTarget>> {
    return this.#call('GET', '/prepare');
  }

  preparePart(index: number | string): Promise<Answer<UploadTarget>> {
    return this.#call('GET', `/parts/${index}/prepare`);
  }

  recordPart(index: number | string, part: object): Promise<Answer<SessionRecord>> {
    return this.#call('PUT', `/parts/${index}`, part);
  }

  complete(body?: object): Promise<Answer<SessionRecord>> {
    return this.#call('POST', '/complete', body);
  }

  /** Sends a part to the store and records it. */
  async putPart(index: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const target = ok(await this.preparePart(index));
    const etag = await putTo(target, bytes);
    ok(await this.recordPart(index, { etag, size: bytes.byteLength }));
  }

  #call<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    return this.person.call(method, `${SESSIONS}/${this.id}${path}`, { body });
  }
}

/** Announces a file. `path` is the path of its directory. */
export async function openSession(
  person: Person,
  announced: { path?: string; filename: string; size: number; contentType?: string; onConflict?: string },
): Promise<{ session: SessionRecord; calls: SessionCalls }> {
  const session = await person.ask<SessionRecord>('POST', SESSIONS, { body: announced });
  return { session, calls: new SessionCalls(person, session.sessionId) };
}

/** Sends the request that the service prepared to the store; returns the ETag. */
export async function putTo(target: UploadTarget, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { uploadUrl, method, headers } = target;
  const response = await fetch(uploadUrl, { method, headers, body: bytes });
  assert.equal(response.status, 200, await response.text());
  return response.headers.get('etag') ?? '';
}

/** Asserts success and returns the data of the answer. */
export function ok<T>(answer: Answer<T>): T {
  assert.equal(answer.status, 200, answer.msg);
  assert.equal(answer.code, 0, answer.msg);
  return answer.data;
}

export function assertRefused(answer: Answer<unknown>, status: number, code = 2000 + status): void {
  assert.deepEqual([answer.status, answer.code], [status, code], answer.msg);
  assert.equal(answer.data, null);
}
