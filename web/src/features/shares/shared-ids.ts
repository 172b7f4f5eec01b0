import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { ask } from '../../api/ask.ts';
import type { OwnShareLink, Page, ShareSummary } from '../../api/contract.ts';
import { KEYS } from '../../api/keys.ts';
import { whenIdle } from '../../common/later.ts';
import { isLinkWorking, newestFolderLinksQuery } from './folder-link-queries.ts';

/** How many of the newest links are read: more are rare, and the page of all links shows them. */
const NEWEST = 1_000;

/** The newest shares of the user. */
export function newestSharesQuery() {
  return {
    queryKey: [...KEYS.shares(), 'newest'],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      ask<Page<ShareSummary>>('GET', '/api/v2/shares/mine', { query: { size: NEWEST }, signal }),
  } as const;
}

/** The newest legacy links of the user: those of folders, and older ones of files. */
export function newestLinksQuery() {
  return {
    queryKey: [...KEYS.shares(), 'links'],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      ask<Page<OwnShareLink>>('GET', '/api/v2/share-links/mine', { query: { size: NEWEST }, signal }),
  } as const;
}

/** Whether the link of a share still leads to its file. */
export function isWorking({ expired, exhausted }: ShareSummary): boolean {
  return !expired && !exhausted;
}

/** The ids of the files and folders that others can reach by a link. Loaded after the page itself. */
export function useSharedIds(): ReadonlySet<number> {
  const [isTime, setTime] = useState(false);
  useEffect(() => whenIdle(() => setTime(true)), []);
  const { data: shares } = useQuery({ ...newestSharesQuery(), enabled: isTime, staleTime: 60_000 });
  const { data: links } = useQuery({ ...newestLinksQuery(), enabled: isTime, staleTime: 60_000 });
  const { data: folderLinks } = useQuery({
    ...newestFolderLinksQuery(),
    enabled: isTime,
    staleTime: 60_000,
  });
  return useMemo(
    () =>
      new Set([
        ...(shares?.items ?? [])
          .filter(isWorking)
          .flatMap(({ file }) => (file === undefined ? [] : [file.id])),
        ...(links?.items ?? []).map(({ file }) => file.id),
        ...(folderLinks?.items ?? [])
          .filter((link) => isLinkWorking(link, Date.now()))
          .map(({ directoryId }) => directoryId),
      ]),
    [shares, links, folderLinks],
  );
}
