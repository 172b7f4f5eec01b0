import { Failure } from './failure.ts';

/** Which part of a list: `page` counts from 0. */
export interface PageRequest {
  readonly page: number;
  readonly size: number;
}

/** One part of a list and how many rows the whole has. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly page: number;
  readonly size: number;
}

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 1_000;

/**
 * Contract, section 1: page from 0, size 20 unless said, above 1,000 cut to 1,000.
 * @throws Failure `invalid` for a page below 0 or a size below 1
 */
export function toPageRequest(query: { page?: number; size?: number }): PageRequest {
  const page = query.page ?? 0;
  const size = query.size ?? DEFAULT_PAGE_SIZE;
  if (page < 0) throw new Failure('invalid', 'page must be 0 or more.');
  if (size < 1) throw new Failure('invalid', 'size must be 1 or more.');
  const cutSize = Math.min(size, MAX_PAGE_SIZE);
  if (page * cutSize > Number.MAX_SAFE_INTEGER) throw new Failure('invalid', 'page is too large.');
  return { page, size: cutSize };
}

export function offsetOf(request: PageRequest): number {
  return request.page * request.size;
}
