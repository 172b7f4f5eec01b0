import type { Holdall } from '../app/holdall.ts';
import type { CallOptions, Person } from '../app/person.ts';
import type { TusUpload } from '../uploads/tus.ts';

/** What all cases share. */
export interface Scene {
  readonly holdall: Holdall;
  readonly alice: Person;
  readonly bob: Person;
  readonly admin: Person;
  /** Whether clients send bytes to the object store directly. */
  readonly isDirect: boolean;
}

/** The part of an answer that tests check. */
export interface Outcome {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined for an answer without a body. */
  readonly code?: number | undefined;
}

/** A request that is ready to be sent, possibly more than once. */
export interface ReadyRequest {
  send(): Promise<Outcome>;
  /** Throws if the acknowledged effect of a success is missing. */
  check?(): Promise<void>;
}

export interface FaultCase {
  /** The name of an operation, such as `POST /api/files/{fileId}/copy`, or a route of WebDAV. */
  readonly route: string;
  /** Distinguishes the cases of one route. */
  readonly what?: string;
  /** Statuses, besides 404 and 409, that are allowed when the request is repeated after it has succeeded. */
  readonly repeated?: readonly number[];
  /**
   * Whether the case needs clients that send bytes directly, or through the service. By default either works.
   */
  readonly needs?: 'direct' | 'proxied' | 's3';
  /** Prepares the request. No entry or account has the name yet. */
  prepare(scene: Scene, name: string): Promise<ReadyRequest | (() => Promise<Outcome>)>;
}

export function nameOf({ route, what }: FaultCase): string {
  return what === undefined ? route : `${route}, ${what}`;
}

/** A call with a JSON body. */
export function sending(person: Person, method: string, path: string, body?: unknown, options?: CallOptions) {
  return () => person.call(method, path, { ...options, body });
}

/** Sends what the service has not acknowledged yet, like a client that resumes. */
export async function resume(upload: TusUpload, bytes: Uint8Array): Promise<Outcome> {
  const head = await upload.head();
  if (head.status !== 200) return head;
  const offset = Number(head.headers.get('upload-offset'));
  return upload.patch(offset, bytes.subarray(offset));
}

/** A call whose answer is bytes. If the body is interrupted, which the client notices, the status is 0. */
export async function fetchBytes(person: Person, path: string, expected: Uint8Array): Promise<Outcome> {
  const response = await person.fetch('GET', path);
  const { status, headers } = response;
  if (status >= 400) return { status, headers, code: JSON.parse(await response.text()).code };
  const bytes = await response.arrayBuffer().catch(() => undefined);
  if (bytes === undefined) return { status: 0, headers };
  if (status < 300 && !Buffer.from(bytes).equals(expected)) throw new Error(`${path} has other bytes.`);
  return { status, headers };
}
