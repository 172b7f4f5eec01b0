/** The list parameters in the address: the page (from 1) and the filters. */
export type AdminSearch = Readonly<Record<string, string | number | undefined>>;

/** Takes valid parameters and ignores the rest. */
export function readAdminSearch(raw: Readonly<Record<string, unknown>>): AdminSearch {
  const search: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (typeof value === 'string' || typeof value === 'number') search[name] = value;
    else if (typeof value === 'boolean') search[name] = String(value);
  }
  return search;
}

/** The filter of that name; empty if there is none. */
export function filterOf(search: AdminSearch, name: string): string {
  return String(search[name] ?? '');
}

/** The page number; 1 if the address has none or an invalid one. */
export function pageOf(search: AdminSearch): number {
  const page = Number(search.page);
  return Number.isSafeInteger(page) && page >= 1 ? page : 1;
}
