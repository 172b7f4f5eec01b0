import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isLinkWorking, newestFolderLinksQuery } from '../shares/folder-link-queries.ts';
import { isWorking, newestLinksQuery, newestSharesQuery } from '../shares/shared-ids.ts';

const FRESH_MS = 60_000;

interface LinksFactProps {
  readonly id: number;
  readonly onLeave?: (() => void) | undefined;
}

/** How many working links lead to an entry, as a link to their page. */
export function LinksFact({ id, onLeave }: LinksFactProps) {
  const { t } = useTranslation();
  const { data: shares } = useQuery({ ...newestSharesQuery(), staleTime: FRESH_MS });
  const { data: links } = useQuery({ ...newestLinksQuery(), staleTime: FRESH_MS });
  const { data: folderLinks } = useQuery({ ...newestFolderLinksQuery(), staleTime: FRESH_MS });
  const working = (shares?.items ?? []).filter(isWorking);
  const count =
    working.filter(({ file }) => file?.id === id).length +
    (links?.items ?? []).filter(({ file }) => file.id === id).length +
    (folderLinks?.items ?? []).filter((link) => link.directoryId === id && isLinkWorking(link, Date.now()))
      .length;
  if (count === 0) return t('details.noLinks');
  return (
    <Anchor
      renderRoot={(props) => <Link to="/shared" search={{ file: id }} {...props} />}
      underline="always"
      onClick={onLeave}
    >
      {t('details.links', { count })}
    </Anchor>
  );
}
