/** Matches the suffix that compressing proxies append to our ETags, which always have two parts. */
const CODING = /^"(.+-.+?)(?:--?|[;+])(?:x-)?(?:gzip|br|zstd|deflate)"$/i;

/**
 * The ETag that the service has sent; undefined if there is none. A proxy that compresses the bytes makes the
 * ETag weak or appends the coding. This undoes both, because conditions with the changed ETag would fail,
 * although the content is the same.
 */
export function readContentTag({ headers }: Response): string | undefined {
  const tag = headers.get('etag') ?? undefined;
  return tag?.replace(/^W\//, '').replace(CODING, '"$1"');
}
