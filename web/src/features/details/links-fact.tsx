import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useLinkCount } from '../shares/shared-ids.ts';

interface LinksFactProps {
  readonly id: number;
  readonly onLeave?: (() => void) | undefined;
}

/** How many working links lead to an entry, as a link to their page. */
export function LinksFact({ id, onLeave }: LinksFactProps) {
  const { t } = useTranslation();
  const count = useLinkCount(id);
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
