import type { CallOptions } from '../requests/call-options.ts';
import type { Page } from '../shapes/page.ts';

/** Requests one page. */
type FetchPage<T> = (
  query: { readonly page: number; readonly size: number },
  options: CallOptions,
) => Promise<Page<T>>;

export interface ListOptions extends CallOptions {
  /** The maximum number of items per request: 1 to 1,000; 200 if absent. */
  readonly pageSize?: number | undefined;
}

const DEFAULT_PAGE_SIZE = 200;

/**
 * A list that the service returns in pages. Nothing is requested before it is read:
 *
 * ```ts
 * for await (const entry of holdall.drive.list('/Documents')) console.log(entry.filename);
 * ```
 *
 * A page is requested once the previous one has been read. If the list changes meanwhile, an item may be
 * missing or appear twice. Use the events to stay up to date.
 */
export class PageList<T> implements AsyncIterable<T> {
  readonly #fetchPage: FetchPage<T>;
  readonly #options: ListOptions;

  constructor(fetchPage: FetchPage<T>, options: ListOptions = {}) {
    this.#fetchPage = fetchPage;
    this.#options = options;
  }

  /** Requests one page; the first is 0. @throws HoldallError */
  page(number = 0): Promise<Page<T>> {
    const { pageSize = DEFAULT_PAGE_SIZE, ...options } = this.#options;
    return this.#fetchPage({ page: number, size: pageSize }, options);
  }

  /**
   * Yields the pages one after another. Yields a first page even if the list is empty.
   * @throws HoldallError
   */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    for (let number = 0; ; number += 1) {
      const page = await this.page(number);
      yield page;
      const isLast = page.items.length === 0 || (page.page + 1) * page.size >= page.total;
      if (isLast) return;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** Reads the whole list into memory. @throws HoldallError */
  async toArray(): Promise<T[]> {
    const items: T[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}
