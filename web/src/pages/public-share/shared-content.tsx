import { Button, Stack, Text } from '@mantine/core';
import { IconEye, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShareSummary } from '../../../../client/src/client.ts';
import { hasPage } from '../../features/entries/entry-kind.ts';
import { canShowPdf } from '../../features/preview/views/pdf-view.tsx';
import { PlainContent } from '../../features/preview/views/plain-content.tsx';
import { type PreviewKind, toPreviewKind } from '../../features/preview/views/preview-kind.ts';
import { toDownload, toThumbnail } from '../../features/shares/addresses.ts';
import { useCheckShare } from '../../features/shares/public/use-shared.ts';
import styles from './shared-content.module.css';

/** Larger files are loaded only when the visitor asks for them. */
const MAX_UNASKED_BYTES = 5_000_000;

/** When to ask how many uses are left. The counted request is sent shortly after the content is shown. */
const CHECK_AFTER_MS = 1_000;

type SharedFile = NonNullable<ShareSummary['file']>;

/** Whether the thumbnail shows all of the content. That of a document would only show its first page. */
export function isPictured(file: SharedFile): boolean {
  return file.thumbnailVersion != null && !hasPage(file);
}

/** Whether the page can show more of the file than its name. */
export function hasContent(file: SharedFile): boolean {
  return isPictured(file) || !['zip', 'none'].includes(toPreviewKind(file));
}

interface SharedContentProps {
  readonly share: ShareSummary;
  readonly file: SharedFile;
  /** Called before content is loaded that counts as a use. */
  readonly onUsed: () => void;
}

/**
 * The content of a shared file. A thumbnail does not count as a use, but everything else counts as a
 * download. So a share with limited uses shows the content only when the visitor asks for it.
 */
export function SharedContent({ share, file, onUsed }: SharedContentProps) {
  const { t } = useTranslation();
  const check = useCheckShare(share.token);
  const kind = toPreviewKind(file);
  const isLimited = share.maxDownloads !== null;
  const isOver = share.expired || share.exhausted;
  const [isAsked, setAsked] = useState(false);
  const { thumbnailVersion } = file;
  const [hasFailed, setFailed] = useState(false);
  const canPlay = isPlayed(kind) && share.allowDownload && (!isOver || isAsked);
  if (thumbnailVersion != null && isPictured(file) && !hasFailed && !canPlay) {
    return (
      <img
        className={styles.picture}
        src={toThumbnail(share.token, thumbnailVersion, 1024)}
        srcSet={`${toThumbnail(share.token, thumbnailVersion, 2048)} 2x`}
        alt={file.filename}
        onError={() => setFailed(true)}
      />
    );
  }
  if (!share.allowDownload || !hasContent(file) || (isOver && !isAsked)) return null;
  if (kind === 'pdf' && !canShowPdf(file.size)) return null;
  const isUnasked = !isLimited && loadsUnasked(kind, file);
  if (isAsked || isUnasked) {
    return (
      <PlainContent
        address={toDownload(share.token)}
        queryKey={['shared', share.token]}
        file={file}
        isAsked={isAsked}
        styles={styles}
      />
    );
  }
  const show = () => {
    onUsed();
    setAsked(true);
    // The page shows how many uses are left; a failed request is not reported.
    if (isLimited) setTimeout(() => void check().catch(() => undefined), CHECK_AFTER_MS);
  };
  return (
    <Stack gap={4} align="center">
      <Button
        variant="light"
        size="md"
        leftSection={
          isPlayed(kind) ? <IconPlayerPlay size={18} aria-hidden /> : <IconEye size={18} aria-hidden />
        }
        onClick={show}
      >
        {t(labelOf(kind))}
      </Button>
      {isLimited && (
        <Text size="sm" c="dimmed" ta="center">
          {t('shares.showCounts')}
        </Text>
      )}
    </Stack>
  );
}

function labelOf(kind: PreviewKind) {
  return isPlayed(kind) ? 'shares.play' : 'shares.show';
}

function isPlayed(kind: PreviewKind): boolean {
  return kind === 'video' || kind === 'audio';
}

/**
 * Whether content loads without asking: players load nothing before they start, text is limited, and a PDF is
 * loaded in parts.
 */
function loadsUnasked(kind: PreviewKind, { size }: SharedFile): boolean {
  return isPlayed(kind) || kind === 'text' || kind === 'pdf' || size <= MAX_UNASKED_BYTES;
}
