import type { MountedRoute } from '../../../src/http/access.ts';

const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000';

/**
 * A table in a text: one row for each route, with a value, a method and a URL pattern. The row of GET is also
 * that of HEAD, unless the URL has no GET.
 */
export class RouteTable {
  readonly #values: ReadonlyMap<string, string>;
  readonly #rowCount: number;
  readonly #routes: readonly MountedRoute[];
  readonly #gettable: ReadonlySet<string>;

  constructor(text: string, routes: readonly MountedRoute[]) {
    const rows = text.trim().split('\n');
    this.#rowCount = rows.length;
    this.#values = new Map(
      rows.map((row) => {
        const [value = '', method, url] = row.trim().split(/ +/);
        return [`${method} ${url}`, value];
      }),
    );
    this.#routes = routes;
    this.#gettable = new Set(routes.flatMap(({ method, url }) => (method === 'GET' ? [url] : [])));
  }

  /** What the table says about a route; empty if it has no row. */
  valueOf(route: MountedRoute): string {
    return this.#values.get(this.#nameOf(route)) ?? '';
  }

  /** The routes without a row, and the rows without a route or with another row of the same route. */
  findDifferences(): readonly string[] {
    const names = new Set(this.#routes.map((route) => this.#nameOf(route)));
    const withoutRow = [...names].filter((name) => !this.#values.has(name));
    const withoutRoute = [...this.#values.keys()].filter((name) => !names.has(name));
    const repeated = this.#rowCount - this.#values.size;
    return [...withoutRow, ...withoutRoute, ...(repeated > 0 ? [`${repeated} repeated rows`] : [])];
  }

  #nameOf({ method, url }: MountedRoute): string {
    const isOwnRow = method !== 'HEAD' || !this.#gettable.has(url);
    return `${isOwnRow ? method : 'GET'} ${url.replaceAll(/:(\w+)/g, '{$1}')}`;
  }
}

/** The path of a route with well-formed ids that do not exist. */
export function pathWithUnknownIds({ url }: MountedRoute): string {
  return url
    .replaceAll(/:(?:sessionId|transferId)/g, UNKNOWN_UUID)
    .replace(/^(\/api(?:\/v2)?\/transfer\/.*):fileId/, `$1${UNKNOWN_UUID}`)
    .replaceAll(/:token|\*/g, 'nothing')
    .replaceAll(/:partIndex/g, '0')
    .replaceAll(/:\w+/g, '999999999');
}
