export interface BucketLocation {
  readonly endpoint?: string;
  readonly publicEndpoint?: string;
  readonly region: string;
  readonly bucket: string;
  readonly forcePathStyle: boolean;
}

/** The origin at which browsers reach a bucket, such as `https://photos.s3.eu-central-1.amazonaws.com`. */
export function originOfBucket({
  endpoint,
  publicEndpoint,
  region,
  bucket,
  forcePathStyle,
}: BucketLocation): string {
  const { protocol, host, origin } = new URL(
    publicEndpoint ?? endpoint ?? `https://s3.${region}.amazonaws.com`,
  );
  return forcePathStyle ? origin : `${protocol}//${bucket}.${host}`;
}
