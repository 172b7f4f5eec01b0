import { Button, Loader, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { addressOf } from '../../../api/address-of.ts';
import { KEYS } from '../../../api/keys.ts';
import { faultKeyOf } from '../../../common/document-frame.ts';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { formatBytes, formatTime } from '../../../messages/formats.ts';
import { EntryIcon } from '../../entries/entry-icon.tsx';
import { kindOf } from '../../entries/entry-kind.ts';
import type { PdfFault } from '../pdf/use-pdf.ts';
import classes from '../preview.module.css';
import { TextView } from '../text/text-view.tsx';
import { PdfView } from './pdf-view.tsx';
import { Picture } from './picture.tsx';
import { Player } from './player.tsx';
import { toPreviewKind } from './preview-kind.ts';

const DocumentContent = lazyPart(async () => (await import('./document-view.tsx')).DocumentContent);
const ZipView = lazyPart(async () => (await import('./zip-view.tsx')).ZipView);

interface FileViewProps {
  readonly entry: EntryRecord;
  /** Called when a picture becomes zoomed, and when it no longer is. */
  readonly onZoom: (isZoomed: boolean) => void;
  /** Called when the user begins and ends editing the file. */
  readonly onEditing: (isEditing: boolean) => void;
  readonly onSave: () => void;
}

/** Shows a file according to its kind, without running anything in it. */
export function FileView({ entry, onZoom, onEditing, onSave }: FileViewProps) {
  const kind = toPreviewKind(entry);
  const card = (reason: CardReason) => <NoView entry={entry} reason={reason} onSave={onSave} />;
  const instead = card(kindOf(entry) in OFFICE_KINDS ? 'otherFormat' : 'cannotShow');
  switch (kind) {
    case 'picture':
      return <Picture entry={entry} instead={instead} onZoom={onZoom} />;
    case 'video':
    case 'audio':
      return <Player entry={entry} instead={instead} isVideo={kind === 'video'} />;
    case 'text':
      return <TextView entry={entry} instead={instead} onEditing={onEditing} onSave={onSave} />;
    case 'pdf':
      return <PdfView entry={entry} fallback={card} />;
    case 'zip':
      return (
        <Suspense fallback={<Loader color="gray" className={classes.loader} aria-hidden />}>
          <ZipView entry={entry} instead={instead} />
        </Suspense>
      );
    case 'none':
      return instead;
    default:
      return (
        <Suspense fallback={<Loader color="gray" className={classes.loader} aria-hidden />}>
          <DocumentContent
            format={kind}
            address={addressOf('GET /api/files/download/{fileId}', {
              path: { fileId: entry.id },
              drive: entry.driveId,
            })}
            queryKey={[...KEYS.entry(entry.id), kind]}
            title={entry.filename}
            size={entry.size}
            fallback={(fault) => card(faultKeyOf(fault))}
          />
        </Suspense>
      );
  }
}

/** The kinds of office files. Only some of their formats can be shown. */
const OFFICE_KINDS = { document: true, sheet: true, slides: true };

/** Why a file is not shown. The values are message keys. */
type CardReason = PdfFault | 'cannotShow' | 'otherFormat' | 'tooLarge' | 'protectedBook';

interface NoViewProps {
  readonly entry: EntryRecord;
  readonly reason: CardReason;
  readonly onSave: () => void;
}

/** Shown for a file that cannot be displayed: its kind, the reason, and a download button. */
function NoView({ entry, reason, onSave }: NoViewProps) {
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
        {t(`preview.${reason}`)}
      </Text>
      <Button mt="sm" leftSection={<IconDownload size={18} aria-hidden />} onClick={onSave}>
        {t('preview.download')}
      </Button>
    </Stack>
  );
}
