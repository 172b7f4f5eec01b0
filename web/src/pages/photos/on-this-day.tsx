import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimelineRecord } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { readStored, writeStored } from '../../api/stored.ts';
import { useDrive } from '../../features/drives/use-drive.ts';
import { useThumbnail } from '../../features/entries/thumbnails/use-thumbnail.ts';
import { dayOf } from '../../messages/relative-date.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { PictureImage } from '../../ui/pictures/picture-image.tsx';
import type { PictureGroup } from '../../ui/pictures/picture-lines.ts';
import { type FormerDay, findFormerDays } from './former-years.ts';
import styles from './photos.module.css';

const HIDDEN_KEY = 'holdall.on-this-day-hidden';

interface OnThisDayProps {
  readonly days: readonly PictureGroup[];
  readonly onGo: (day: string) => void;
}

/** The days of former years with the date of today. Not shown if there are none, or after it was closed today. */
export function OnThisDay({ days, onGo }: OnThisDayProps) {
  const { t } = useTranslation();
  const today = dayOf(Date.now());
  const [hiddenOn, setHiddenOn] = useState(() => readStored(HIDDEN_KEY));
  const found = useMemo(() => findFormerDays(days, today), [days, today]);
  if (found.length === 0 || hiddenOn === today) return null;
  const hide = () => {
    setHiddenOn(today);
    writeStored(HIDDEN_KEY, today);
  };
  return (
    <section className={styles.memories} aria-label={t('photos.onThisDay')}>
      <h2>{t('photos.onThisDay')}</h2>
      <ul>
        {found.map((former) => (
          <li key={former.day}>
            <FormerYear former={former} onGo={() => onGo(former.day)} />
          </li>
        ))}
      </ul>
      <IconButton variant="subtle" color="gray" size={40} label={t('photos.hideOnThisDay')} onClick={hide}>
        <IconX size={18} aria-hidden />
      </IconButton>
    </section>
  );
}

function FormerYear({ former, onGo }: { readonly former: FormerDay; readonly onGo: () => void }) {
  const { t } = useTranslation();
  const { id: drive, key } = useDrive();
  const { day, first } = former;
  const { data } = useQuery({
    queryKey: [...KEYS.timeline(key), 'former', day, first],
    queryFn: ({ signal }) =>
      ask('GET /api/v2/files/timeline', { query: { page: first, size: 1 }, drive, signal }),
  });
  const picture = data?.items[0];
  return (
    <button type="button" className={styles.memory} onClick={onGo}>
      <span className={styles.memoryPicture}>{picture !== undefined && <Cover picture={picture} />}</span>
      {t('photos.yearsAgo', { count: former.yearsAgo })}
    </button>
  );
}

function Cover({ picture }: { readonly picture: TimelineRecord }) {
  const { ref, address } = useThumbnail(picture);
  return <PictureImage ref={ref} src={address} instead={null} />;
}
