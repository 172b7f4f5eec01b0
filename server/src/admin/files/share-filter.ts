import { toTextFilter } from '../lists/text-filter.ts';
import type { SharesQuery } from './contract.ts';

/** Selects the shares or folder links of a list. */
export interface ShareFilter {
  /** Folded, like the other texts. Each text must be part of what it filters. */
  readonly userQuery: string | undefined;
  /** A part of the name of the shared entry. */
  readonly fileName: string | undefined;
  readonly token: string | undefined;
  readonly passwordProtected: boolean | undefined;
  readonly expired: boolean | undefined;
}

export function toShareFilter(query: SharesQuery): ShareFilter {
  return {
    userQuery: toTextFilter(query.userQuery),
    fileName: toTextFilter(query.fileName),
    token: toTextFilter(query.token),
    passwordProtected: query.passwordProtected,
    expired: query.expired,
  };
}
