/** Which pictures and videos are shown. The filter is part of the address of the page. */
export interface PhotoFilter {
  readonly kind?: 'image' | 'video' | undefined;
  /** Only those that the user has starred. */
  readonly starred?: true | undefined;
  readonly screenshots?: false | undefined;
}

/** The filter with its change. */
export interface FilterChoice {
  readonly filter: PhotoFilter;
  readonly onChange: (filter: PhotoFilter) => void;
}

/** Reads the filter from an address. Ignores unknown values. */
export function readPhotoFilter({ kind, starred, screenshots }: Record<string, unknown>): PhotoFilter {
  return {
    ...((kind === 'image' || kind === 'video') && { kind }),
    ...(starred === true && { starred }),
    ...(screenshots === false && { screenshots }),
  };
}

export function isFiltering(filter: PhotoFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/** The filter as the service takes it. */
export function toQuery({ kind, ...others }: PhotoFilter) {
  return { ...others, ...(kind !== undefined && { kind: KINDS[kind] }) };
}

const KINDS = { image: 'IMAGE', video: 'VIDEO' } as const;
