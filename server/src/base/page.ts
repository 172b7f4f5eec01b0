import { Failure } from './failure.ts';

/** The part of a list that a caller asks for: `page` counts from 0. */
export interface PageRequest {
  readonly page: number;
  readonly size: number;
}

/** One part of a list, and the number of rows in the whole list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly page: number;
  readonly size: number;
}

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 1_000;

/**
 * Pages count from 0. The size is 20 by default, and larger sizes than 1,000 are reduced to 1,000.
 * @throws Failure `invalid` for a page below 0 or a size below 1
 */
export function toPageRequest(query: { page?: number; size?: number }): PageRequest {
  const page = query.page ?? 0;
  const size = query.size ?? DEFAULT_PAGE_SIZE;
  if (page < 0) throw new Failure('invalid', 'page must be 0 or more.');
  if (size < 1) throw new Failure('invalid', 'size must be 1 or more.');
  const limitedSize = Math.min(size, MAX_PAGE_SIZE);
  if (page * limitedSize > Number.MAX_SAFE_INTEGER) throw new Failure('invalid', 'page is too large.');
  return { page, size: limitedSize };
}

export function offsetOf(request: PageRequest): number {
  return request.page * request.size;
}

/** Pages beyond this offset take long, because the database walks over everything before them. */
const MAX_SHORT_OFFSET = 20_000;

export function isDeepPage(page: PageRequest): boolean {
  return offsetOf(page) > MAX_SHORT_OFFSET;
}
