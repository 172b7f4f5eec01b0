/** What proxies append that compress a body. It follows a whole tag of ours, which has two parts. */
const CODING = /^"(.+-.+?)(?:--?|[;+])(?:x-)?(?:gzip|br|zstd|deflate)"$/i;

/**
 * The tag that the service has sent; undefined if there is none. A proxy that compresses the bytes makes the tag
 * weak or appends the coding. In that form it would fulfil no condition, although the content is the same.
 */
export function readContentTag({ headers }: Response): string | undefined {
  const tag = headers.get('etag') ?? undefined;
  return tag?.replace(/^W\//, '').replace(CODING, '"$1"');
}
