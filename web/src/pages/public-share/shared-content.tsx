import { Button, Loader, Stack, Text } from '@mantine/core';
import { IconEye, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShareSummary } from '../../api/contract.ts';
import { readText } from '../../features/preview/text/read-text.ts';
import { TextContent } from '../../features/preview/text/text-content.tsx';
import { textKindOf } from '../../features/preview/text/text-kind.ts';
import { canShowPdf, PdfContent } from '../../features/preview/views/pdf-view.tsx';
import { type WayToShow, wayToShow } from '../../features/preview/views/way-to-show.ts';
import { toDownload, toThumbnail } from '../../features/shares/addresses.ts';
import { useCheckShare } from '../../features/shares/public/use-shared.ts';
import styles from './shared-content.module.css';

/** Larger files are loaded only when the visitor asks for them. */
const MOST_UNASKED_BYTES = 5_000_000;

/** The counted request is sent soon after the content is shown. */
const CHECK_AFTER_MS = 1_000;

export type SharedFile = NonNullable<ShareSummary['file']>;

/** Whether the page can show more of the file than its name. */
export function hasContent(file: SharedFile): boolean {
  return file.thumbnailVersion != null || !['zip', 'none'].includes(wayToShow(file));
}

interface SharedContentProps {
  readonly share: ShareSummary;
  readonly file: SharedFile;
  /** Called before content is loaded that counts as a use. */
  readonly onUsed: () => void;
}

/**
 * The content of a shared file. A thumbnail is free. Everything else is a download of the file and counts as
 * one, so a share with a limited number of uses shows it only when the visitor asks for it.
 */
export function SharedContent({ share, file, onUsed }: SharedContentProps) {
  const { t } = useTranslation();
  const check = useCheckShare(share.token);
  const way = wayToShow(file);
  const isLimited = share.maxDownloads !== null;
  const isOver = share.expired || share.exhausted;
  const [isAsked, setAsked] = useState(false);
  const { thumbnailVersion } = file;
  const [hasFailed, setFailed] = useState(false);
  if (thumbnailVersion != null && !hasFailed) {
    return (
      <img
        className={styles.picture}
        src={toThumbnail(share.token, thumbnailVersion)}
        alt={file.filename}
        onError={() => setFailed(true)}
      />
    );
  }
  if (!share.allowDownload || !hasContent(file) || (isOver && !isAsked)) return null;
  if (way === 'pdf' && !canShowPdf(file.size)) return null;
  const isUnasked = !isLimited && loadsUnasked(way, file);
  if (isAsked || isUnasked) return <Whole share={share} file={file} way={way} isAsked={isAsked} />;
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
          isPlayed(way) ? <IconPlayerPlay size={18} aria-hidden /> : <IconEye size={18} aria-hidden />
        }
        onClick={show}
      >
        {t(isPlayed(way) ? 'shares.play' : 'shares.show')}
      </Button>
      {isLimited && (
        <Text size="sm" c="dimmed" ta="center">
          {t('shares.showCounts')}
        </Text>
      )}
    </Stack>
  );
}

function isPlayed(way: WayToShow): boolean {
  return way === 'video' || way === 'audio';
}

/** A player loads nothing before it is started, and text is read up to a limit. */
function loadsUnasked(way: WayToShow, { size }: SharedFile): boolean {
  return isPlayed(way) || way === 'text' || size <= MOST_UNASKED_BYTES;
}

interface WholeProps {
  readonly share: ShareSummary;
  readonly file: SharedFile;
  readonly way: WayToShow;
  readonly isAsked: boolean;
}

/** The file itself, from its download address. */
function Whole({ share: { token }, file, way, isAsked }: WholeProps) {
  const address = toDownload(token);
  const player = {
    src: address,
    controls: true,
    preload: 'none',
    autoPlay: isAsked,
    'aria-label': file.filename,
  } as const;
  switch (way) {
    case 'picture':
      return <img className={styles.picture} src={address} alt={file.filename} />;
    case 'video':
      return <video {...player} className={styles.video} playsInline />;
    case 'audio':
      return <audio {...player} className={styles.audio} />;
    case 'pdf':
      return (
        <div className={styles.pdf}>
          <PdfContent
            address={address}
            queryKey={['shared-pdf', token]}
            title={file.filename}
            instead={null}
          />
        </div>
      );
    case 'text':
      return <SharedText address={address} token={token} file={file} />;
    case 'zip':
    case 'none':
      return null;
  }
}

function SharedText({ address, token, file }: { address: string; token: string; file: SharedFile }) {
  const { t } = useTranslation();
  const { data, isPending } = useQuery({
    queryKey: ['shared-text', token],
    queryFn: ({ signal }) => readText(address, file.size, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (isPending) return <Loader color="gray" m="auto" aria-label={t('preview.loading')} />;
  // What is not text after all, or could not be read, can still be downloaded.
  if (data === undefined || data === null) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll only what it can focus
    <section className={styles.text} tabIndex={0} aria-label={file.filename}>
      <TextContent filename={file.filename} text={data.text} kind={textKindOf(file)} />
    </section>
  );
}
