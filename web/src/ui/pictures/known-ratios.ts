import type { PictureGroup } from './picture-lines.ts';

interface KnownRatios {
  readonly groups: readonly PictureGroup[];
  /** Width divided by height of each picture; 0 if it is unknown. */
  readonly ratios: Float32Array;
}

/** The ratios of other groups: those of unchanged groups stay known, although their pictures may have moved. */
export function carryRatios(before: KnownRatios, groups: readonly PictureGroup[]): Float32Array<ArrayBuffer> {
  const places = new Map<string, PictureGroup & { readonly first: number }>();
  let at = 0;
  for (const group of before.groups) {
    places.set(group.name, { ...group, first: at });
    at += group.count;
  }
  const ratios = new Float32Array(groups.reduce((sum, { count }) => sum + count, 0));
  let first = 0;
  for (const { name, count } of groups) {
    const place = places.get(name);
    if (place?.count === count) ratios.set(before.ratios.subarray(place.first, place.first + count), first);
    first += count;
  }
  return ratios;
}
