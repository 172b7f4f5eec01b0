import { toTimestamp } from '../../base/dates.ts';
import type { ContentSearch } from '../../content-search/content-search.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { getContentSearch } from './contract.ts';

/** The state of the search in content. */
export function adminContentSearchRoutes(server: Server, contentSearch: ContentSearch): void {
  mount(server, getContentSearch, async () => {
    const { lastErrorAt, ...figures } = await contentSearch.describe();
    return {
      isOn: contentSearch.isOn,
      isPaused: await contentSearch.isPaused(),
      ...figures,
      lastErrorAt: lastErrorAt === null ? null : toTimestamp(lastErrorAt),
    };
  });
}
