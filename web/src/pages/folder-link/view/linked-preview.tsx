import { Button, ModalBody, ModalTitle, Stack, Text } from '@mantine/core';
import { IconDownload, IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { EntryIcon } from '../../../features/entries/entry-icon.tsx';
import type { Pages } from '../../../features/entries/use-pages.ts';
import viewer from '../../../features/preview/preview.module.css';
import { StepButtons } from '../../../features/preview/step-buttons.tsx';
import { useMediaKeys } from '../../../features/preview/use-media-keys.ts';
import { useArrowKeys, useSwipe } from '../../../features/preview/use-paging.ts';
import { PlainContent } from '../../../features/preview/views/plain-content.tsx';
import { toPreviewKind } from '../../../features/preview/views/preview-kind.ts';
import { useLinkedDownload } from '../../../features/shares/folder-links/download-linked.ts';
import {
  toLinkedDownload,
  toLinkedThumbnail,
} from '../../../features/shares/folder-links/folder-link-addresses.ts';
import { type NumberedEntry, useReadAgain } from '../../../features/shares/folder-links/use-folder-link.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { ViewerDialog } from '../../../ui/dialogs/viewer-dialog.tsx';
import styles from '../folder-link.module.css';

const CONTENT_STYLES = {
  picture: styles.whole,
  video: styles.whole,
  audio: viewer.audio,
  pdf: styles.wholePdf,
  text: `${styles.wholePaper} ${viewer.printed}`,
};

interface LinkedPreviewProps {
  readonly token: string;
  readonly entries: Pages<NumberedEntry>;
  /** The index of the shown file. */
  readonly at: number;
  /** Undefined closes the preview. */
  readonly onShow: (entry: NumberedEntry | undefined) => void;
}

/** Shows a file of a folder link over the whole page, with buttons for the next and previous file. */
export function LinkedPreview({ token, entries, at, onShow }: LinkedPreviewProps) {
  const { t } = useTranslation();
  const entry = entries.at(at);
  const close = () => onShow(undefined);
  const neighbours = { [-1]: fileFrom(entries, at, -1), 1: fileFrom(entries, at, 1) };
  const move = (step: number) => {
    const next = neighbours[step as -1 | 1];
    if (next !== undefined) onShow(next);
  };
  const startDownload = useLinkedDownload(token);
  useLoadedAround(entries, at);
  useArrowKeys(move, true);
  const swipe = useSwipe(move, true);
  const kind = entry === undefined ? 'none' : toPreviewKind(entry);
  const isMedia = kind === 'video' || kind === 'audio';
  const mediaKeys = useMediaKeys(isMedia, entry?.path);
  if (entry === undefined) return null;
  const address = toLinkedDownload(token, [entry.path]) ?? '';
  const download = () => void startDownload([entry.path]);
  const { thumbnailVersion: version } = entry;
  return (
    <ViewerDialog onClose={close}>
      <div className={viewer.viewer}>
        <div className={viewer.bar} data-few>
          <ModalTitle className={viewer.name} title={entry.name}>
            {entry.name}
          </ModalTitle>
          <IconButton className={viewer.button} size={40} label={t('preview.download')} onClick={download}>
            <IconDownload size={22} aria-hidden />
          </IconButton>
          <IconButton
            className={viewer.button}
            size={40}
            label={t('common.close')}
            onClick={close}
            data-close
            data-autofocus={!isMedia || undefined}
          >
            <IconX size={22} aria-hidden />
          </IconButton>
        </div>
        <ModalBody className={viewer.body} {...swipe} {...mediaKeys}>
          <PlainContent
            key={entry.path}
            address={address}
            rendition={version === null ? undefined : toLinkedThumbnail(token, entry.path, version, 2048)}
            queryKey={['folder-link-file', token, entry.path, entry.modifiedAt]}
            file={entry}
            isAsked={false}
            styles={CONTENT_STYLES}
            fallback={(reason) => (
              <Stack align="center" gap="sm">
                <LinkCheck token={token} />
                <EntryIcon entry={entry} size={96} />
                <Text className={viewer.quiet}>{formatBytes(entry.size)}</Text>
                <Text ta="center">{t(`preview.${reason}`)}</Text>
                <Button leftSection={<IconDownload size={18} aria-hidden />} onClick={download}>
                  {t('preview.download')}
                </Button>
              </Stack>
            )}
          />
          <StepButtons
            hasPrevious={neighbours[-1] !== undefined}
            hasNext={neighbours[1] !== undefined}
            onMove={move}
          />
        </ModalBody>
      </div>
    </ViewerDialog>
  );
}

/** Checks the link when a file fails to load. If the link has ended, the page says so. */
function LinkCheck({ token }: { readonly token: string }) {
  const readAgain = useEffectEvent(useReadAgain(token));
  useEffect(() => void readAgain(), []);
  return null;
}

/** Keeps the list loaded around the shown file, in addition to the part that is visible in the list. */
function useLoadedAround(entries: Pages<NumberedEntry>, at: number): void {
  const latest = useRef(entries);
  useEffect(() => {
    latest.current = entries;
    entries.look(at, at, 'preview');
  });
  useEffect(() => () => latest.current.look(0, -1, 'preview'), []);
}

/** The nearest loaded file in that direction. Skips directories. */
function fileFrom(entries: Pages<NumberedEntry>, at: number, step: number): NumberedEntry | undefined {
  for (let index = at + step; index >= 0 && index < entries.total; index += step) {
    const entry = entries.at(index);
    if (entry === undefined || !entry.directory) return entry;
  }
  return undefined;
}
