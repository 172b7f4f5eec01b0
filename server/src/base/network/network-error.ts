/** Codes of errors of the network, the resolver and TLS. They mean that the other side cannot be reached. */
const NETWORK_ERROR =
  /^(ECONN\w+|ETIMEDOUT|ESOCKETTIMEDOUT|EPIPE|EPROTO|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENETRESET|EADDRNOTAVAIL|ENOTFOUND|ENONET|EAI_\w+|ENOBUFS|ERR_STREAM_PREMATURE_CLOSE|ERR_SSL_\w+)$/;

/** How deep nested errors are searched. */
const MAX_DEPTH = 5;

/**
 * Finds the code of a network error in the error, its causes and the errors it contains: Node reports the
 * failed attempts for all addresses of a name as one `AggregateError`. Undefined for other errors.
 */
export function networkErrorCodeOf(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth === MAX_DEPTH) return undefined;
  if ('code' in error && typeof error.code === 'string' && NETWORK_ERROR.test(error.code)) return error.code;
  const inner = error instanceof AggregateError ? [error.cause, ...error.errors] : [error.cause];
  for (const each of inner) {
    const code = networkErrorCodeOf(each, depth + 1);
    if (code !== undefined) return code;
  }
  return undefined;
}
