import type { InputOf } from '../../../../client/src/client.ts';
import { ROOT } from '../../common/names/drive-paths.ts';

/** The filters of a search. Each is part of the address of the page. */
export interface SearchFilters {
  /** Where to search: in the text of files instead of the names. */
  readonly in?: 'content' | undefined;
  readonly kind?: (typeof KINDS)[number] | undefined;
  readonly changed?: (typeof CHANGED)[number] | undefined;
  readonly size?: (typeof SIZES)[number] | undefined;
  /** The path of a directory. */
  readonly under?: string | undefined;
  /** Whether to search all drives of the user, not only the shown one. */
  readonly scope?: 'all' | undefined;
  /** The order of the results. By default, the best matches are first. */
  readonly sort?: Exclude<ResultOrder, 'match'> | undefined;
}

/** The available orders. For names, the service supports only the first one, the best matches first. */
export const RESULT_ORDERS = ['match', 'name', 'size', 'modifiedAt'] as const;
export type ResultOrder = (typeof RESULT_ORDERS)[number];

const KINDS = ['folder', 'image', 'video', 'audio', 'document', 'archive', 'other'] as const;
const KIND_CODES = {
  image: 'IMAGE',
  video: 'VIDEO',
  audio: 'AUDIO',
  document: 'DOCUMENT',
  archive: 'ARCHIVE',
  other: 'OTHER',
} as const;
/** The period in which the content was last modified. */
export const CHANGED = ['today', 'week', 'month', 'year'] as const;
export const SIZES = ['small', 'medium', 'large', 'huge'] as const;

const DAY_MS = 24 * 60 * 60 * 1_000;
const DAYS = { week: 7, month: 30, year: 365 } as const;

const MB = 1_000_000;
/** The bounds include both ends. */
const SIZE_BOUNDS = {
  small: { maxSize: MB - 1 },
  medium: { minSize: MB, maxSize: 100 * MB - 1 },
  large: { minSize: 100 * MB, maxSize: 1_000 * MB - 1 },
  huge: { minSize: 1_000 * MB },
} as const;

/** What is searched, without the filters that narrow it down. */
export function withoutFilters({ in: target, scope, sort }: SearchFilters): SearchFilters {
  return { in: target, scope, sort };
}

/** Reads the filters from an address. Ignores unknown values. */
export function readFilters(search: Record<string, unknown>): SearchFilters {
  const { in: target, kind, changed, size, under, scope, sort } = search;
  const isContent = target === 'content';
  const isAll = scope === 'all';
  const isFolder = typeof under === 'string' && under.startsWith('/') && under !== ROOT;
  return {
    in: isContent ? 'content' : undefined,
    kind: kindsIn(isContent).find((known) => known === kind),
    changed: CHANGED.find((known) => known === changed),
    size: SIZES.find((known) => known === size),
    // A folder belongs to one drive.
    under: isFolder && !isAll ? under : undefined,
    scope: isAll ? 'all' : undefined,
    sort: RESULT_ORDERS.filter((known) => known !== 'match').find((known) => known === sort),
  };
}

/** The kinds to choose from. Folders have no content. */
export function kindsIn(isContent: boolean): readonly (typeof KINDS)[number][] {
  return isContent ? KINDS.filter((kind) => kind !== 'folder') : KINDS;
}

/** Whether the results are narrowed down within the searched drives. */
export function hasFilters({ kind, changed, size, under }: SearchFilters): boolean {
  return [kind, changed, size, under].some((filter) => filter !== undefined);
}

/** The parameters of the request. @param now milliseconds since 1970 */
export function toSearchQuery(
  text: string,
  { in: target, kind, changed, size, under, scope }: SearchFilters,
  now: number,
): NonNullable<InputOf<'GET /api/v2/files/search'>['query']> {
  return {
    q: text === '' ? undefined : text,
    // Without words, all files that match the filters are found.
    in: text === '' ? undefined : target,
    type: kind === 'folder' ? 'directory' : size === undefined ? undefined : 'file',
    kind: kind === undefined || kind === 'folder' ? undefined : KIND_CODES[kind],
    modifiedFrom: changed === undefined ? undefined : startOf(changed, now).toISOString(),
    ...(size === undefined ? {} : SIZE_BOUNDS[size]),
    under,
    drive: scope,
  };
}

function startOf(changed: (typeof CHANGED)[number], now: number): Date {
  if (changed !== 'today') return new Date(now - DAYS[changed] * DAY_MS);
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  return day;
}
