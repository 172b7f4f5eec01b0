// Builds the URL and the body of a request.

import type { RawBody } from '../shapes/raw-body.ts';
import type { OperationName } from './operation-types.ts';

/** The input of any operation. */
export interface AnyInput {
  readonly path?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/** Splits the name of an operation. */
export function splitName(operation: OperationName): { readonly method: string; readonly path: string } {
  const space = operation.indexOf(' ');
  return { method: operation.slice(0, space), path: operation.slice(space + 1) };
}

/** The URL of an operation, below the URL of the service. */
export function toUrl(base: URL, path: string, { path: parameters = {}, query = {} }: AnyInput): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(parameters[name])),
  );
  const url = new URL(base.pathname.replace(/\/$/, '') + filled, base);
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) url.searchParams.append(name, String(one));
    }
  }
  return url;
}

/** A body for `fetch`, and its type, unless `fetch` determines that by itself. */
export function toBody(body: unknown): {
  readonly body?: BodyInit;
  readonly type?: string;
  /** Whether it can be sent again. */
  readonly isRepeatable: boolean;
} {
  if (body === undefined) return { isRepeatable: true };
  if (body instanceof FormData) return { body, isRepeatable: true };
  if (isRaw(body)) {
    return { body, type: 'application/octet-stream', isRepeatable: !(body instanceof ReadableStream) };
  }
  return { body: JSON.stringify(body), type: 'application/json', isRepeatable: true };
}

function isRaw(body: unknown): body is RawBody {
  if (typeof body === 'string' || body instanceof ReadableStream) return true;
  return body instanceof Blob || body instanceof Uint8Array || body instanceof ArrayBuffer;
}
