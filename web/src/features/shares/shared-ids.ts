import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { FolderLinkRecord, OwnShareLink, ShareSummary } from '../../../../client/src/client.ts';
import { queryOf } from '../../api/ask.ts';
import { type DriveId, driveKey } from '../../api/in-drive.ts';
import { KEYS } from '../../api/keys.ts';
import { whenIdle } from '../../common/timing/lazy-module.ts';
import { useDriveId } from '../drives/use-drive.ts';
import { isLinkWorking, newestFolderLinksQuery } from './folder-link-queries.ts';

/** Only this many of the newest links are read. Few users have more, and the page of all links shows them. */
const NEWEST = 1_000;
const FRESH_MS = 60_000;

/** The newest shares of the user, or of a shared drive. */
export function newestSharesQuery(drive: DriveId) {
  const key = [...KEYS.shares(driveKey(drive)), 'newest'];
  return queryOf(key, 'GET /api/v2/shares/mine', { query: { size: NEWEST }, drive });
}

/** The newest legacy links of the user: those of folders, and older ones of files. */
export function newestLinksQuery(drive: DriveId) {
  const key = [...KEYS.shares(driveKey(drive)), 'links'];
  return queryOf(key, 'GET /api/v2/share-links/mine', { query: { size: NEWEST }, drive });
}

/** The ids of the files and folders that have a working link. Loaded after the page itself. */
export function useSharedIds(): ReadonlySet<number> {
  const [isTime, setTime] = useState(false);
  useEffect(() => whenIdle(() => setTime(true)), []);
  const { shares, links, folderLinks } = useNewestLinks(isTime);
  return useMemo(() => new Set(listSharedIds({ shares, links, folderLinks })), [shares, links, folderLinks]);
}

/** The number of working links to an entry. */
export function useLinkCount(id: number): number {
  const newest = useNewestLinks(true);
  return listSharedIds(newest).filter((sharedId) => sharedId === id).length;
}

interface NewestLinks {
  readonly shares: readonly ShareSummary[] | undefined;
  readonly links: readonly OwnShareLink[] | undefined;
  readonly folderLinks: readonly FolderLinkRecord[] | undefined;
}

/** The newest links of all kinds; each kind is undefined until it is loaded. */
function useNewestLinks(isEnabled: boolean): NewestLinks {
  const drive = useDriveId();
  const options = { enabled: isEnabled, staleTime: FRESH_MS };
  const { data: shares } = useQuery({ ...newestSharesQuery(drive), ...options });
  const { data: links } = useQuery({ ...newestLinksQuery(drive), ...options });
  const { data: folderLinks } = useQuery({ ...newestFolderLinksQuery(drive), ...options });
  return { shares: shares?.items, links: links?.items, folderLinks: folderLinks?.items };
}

/** The target of each working link, so the same id may occur repeatedly. */
function listSharedIds({ shares = [], links = [], folderLinks = [] }: NewestLinks): readonly number[] {
  return [
    ...shares.filter(isWorking).flatMap(({ file }) => (file === undefined ? [] : [file.id])),
    ...links.map(({ file }) => file.id),
    ...folderLinks.filter((link) => isLinkWorking(link, Date.now())).map(({ directoryId }) => directoryId),
  ];
}

/** Whether the link of a share still leads to its file. */
function isWorking({ expired, exhausted }: ShareSummary): boolean {
  return !expired && !exhausted;
}
