import { Button, Loader, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../api/contract.ts';
import { formatBytes, formatTime } from '../../../messages/formats.ts';
import { EntryIcon } from '../../entries/entry-icon.tsx';
import { kindOf } from '../../entries/entry-kind.ts';
import classes from '../preview.module.css';
import { TextView } from '../text/text-view.tsx';
import { PdfView } from './pdf-view.tsx';
import { Picture } from './picture.tsx';
import { Player } from './player.tsx';

import { wayToShow } from './way-to-show.ts';

const ZipView = lazy(async () => ({ default: (await import('./zip-view.tsx')).ZipView }));

export interface FileViewProps {
  readonly entry: EntryRecord;
  /** Called when a picture becomes zoomed, and when it no longer is. */
  readonly onZoom: (isZoomed: boolean) => void;
  readonly onSave: () => void;
}

/** Shows a file by its kind, as far as a browser can without running anything in it. */
export function FileView({ entry, onZoom, onSave }: FileViewProps) {
  const way = wayToShow(entry);
  const instead = <NoView entry={entry} onSave={onSave} />;
  switch (way) {
    case 'picture':
      return <Picture entry={entry} instead={instead} onZoom={onZoom} />;
    case 'video':
    case 'audio':
      return <Player entry={entry} instead={instead} isVideo={way === 'video'} />;
    case 'text':
      return <TextView entry={entry} instead={instead} onSave={onSave} />;
    case 'pdf':
      return <PdfView entry={entry} instead={instead} />;
    case 'zip':
      return (
        <Suspense fallback={<Loader color="gray" className={classes.loader} aria-hidden />}>
          <ZipView entry={entry} instead={instead} />
        </Suspense>
      );
    case 'none':
      return instead;
  }
}

/** Shown for a file that a browser cannot display: its kind, and a download button. */
function NoView({ entry, onSave }: { entry: EntryRecord; onSave: () => void }) {
  const { t } = useTranslation();
  return (
    <Stack align="center" justify="center" gap="xs" className={classes.card}>
      <EntryIcon entry={entry} size={72} />
      <Text fw={600} ta="center" className={classes.long}>
        {entry.filename}
      </Text>
      <Text size="sm" ta="center" className={classes.quiet}>
        {[t(`preview.kinds.${kindOf(entry)}`), formatBytes(entry.size), formatTime(entry.modifiedAt)].join(
          ' · ',
        )}
      </Text>
      <Text size="sm" ta="center">
        {t('preview.cannotShow')}
      </Text>
      <Button mt="sm" leftSection={<IconDownload size={18} aria-hidden />} onClick={onSave}>
        {t('preview.download')}
      </Button>
    </Stack>
  );
}
