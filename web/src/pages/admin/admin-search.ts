/** What the address says of a list: its page, counted from 1 as people do, and its filters. */
export type AdminSearch = Readonly<Record<string, string | number | undefined>>;

/** Takes what can be one, whoever wrote the address. */
export function readAdminSearch(raw: Readonly<Record<string, unknown>>): AdminSearch {
  const search: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (typeof value === 'string' || typeof value === 'number') search[name] = value;
    else if (typeof value === 'boolean') search[name] = String(value);
  }
  return search;
}

/** The filter of that name; empty where there is none. */
export function filterOf(search: AdminSearch, name: string): string {
  return String(search[name] ?? '');
}

/** 1 where the address says nothing, or nonsense. */
export function pageOf(search: AdminSearch): number {
  const page = Number(search.page);
  return Number.isSafeInteger(page) && page >= 1 ? page : 1;
}
