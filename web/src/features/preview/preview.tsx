import { ModalBody, ModalTitle, Text } from '@mantine/core';
import {
  IconCursorText,
  IconDownload,
  IconInfoCircle,
  IconShare,
  IconTrash,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type Ref, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { showMarks } from '../../../../client/src/common/direction-marks.ts';
import { useInstance } from '../../api/use-instance.ts';
import { formatNumber } from '../../messages/formats.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { ViewerDialog } from '../../ui/dialogs/viewer-dialog.tsx';
import { notifyError } from '../../ui/notifications/notify.ts';
import { useIsNarrow } from '../../ui/screen-size.ts';
import { DetailsPanel } from '../details/details-panel.tsx';
import { useDrive } from '../drives/use-drive.ts';
import { RenameDialog } from '../entries/change/rename-dialog.tsx';
import { downloadFile } from '../entries/signed-address.ts';
import { Filmstrip } from './filmstrip.tsx';
import classes from './preview.module.css';
import { PreviewDetails } from './preview-details.tsx';
import type { ShownFiles } from './shown-files.ts';
import { StepButtons } from './step-buttons.tsx';
import { useMediaKeys } from './use-media-keys.ts';
import { useArrowKeys, useSwipe } from './use-paging.ts';
import { usePreload } from './use-preload.ts';
import { FileView } from './views/file-view.tsx';
import { toPreviewKind } from './views/preview-kind.ts';

interface PreviewProps {
  readonly files: ShownFiles;
  /** Whether another dialog is open above the preview. */
  readonly isCovered: boolean;
  /** Shows the next file (1), or the previous one (-1). */
  readonly onMove: (step: number) => void;
  readonly onShow: (entry: EntryRecord) => void;
  readonly onAct: (action: 'share' | 'recycle', entry: EntryRecord) => void;
  readonly onClose: () => void;
}

/** Shows a file over the whole page: its name, its actions, and links to the next and previous file. */
export function Preview({ files, isCovered, onMove, onShow, onAct, onClose }: PreviewProps) {
  const { t } = useTranslation();
  const [showsDetails, setShowsDetails] = useState(false);
  /** The file that is being renamed, because the preview may show another file meanwhile. */
  const [renamedId, setRenamedId] = useState<number>();
  const [isZoomed, setIsZoomed] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const save = useMutation({ mutationFn: downloadFile, onError: notifyError });
  const { entry, before, after, place, total } = files;
  const isRenaming = renamedId === entry.id;
  const detailsButton = useRef<HTMLButtonElement>(null);
  const isNarrow = useIsNarrow();
  const hasDrawer = showsDetails && isNarrow;
  const hasPanel = showsDetails && !isNarrow;
  const isFront = !hasDrawer && !isRenaming && !isCovered;
  const closePanel = (hadFocus: boolean) => {
    setShowsDetails(false);
    if (hadFocus) detailsButton.current?.focus();
  };
  const canEdit = useDrive().can('EDIT');
  useFileTitle(entry.filename);
  const move = (step: number) => {
    if (step > 0 ? !files.hasNext : !files.hasPrevious) return;
    setIsZoomed(false);
    onMove(step);
  };
  const show = (next: EntryRecord) => {
    setIsZoomed(false);
    onShow(next);
  };
  usePreload([after[0], before.at(-1)]);
  useArrowKeys(move, isFront && !isEditing);
  const swipe = useSwipe(move, !isZoomed && !isEditing);
  const kind = toPreviewKind(entry);
  const isMedia = kind === 'video' || kind === 'audio';
  const mediaKeys = useMediaKeys(isMedia, entry.id);
  return (
    <>
      <ViewerDialog
        onClose={onClose}
        // Escape closes the topmost layer. In the editor, it has other meanings.
        closeOnEscape={isFront && !hasPanel && !isEditing}
        trapFocus={isFront}
      >
        <div className={classes.viewer}>
          <div className={classes.bar}>
            <ModalTitle className={classes.name} title={entry.filename}>
              {entry.filename}
            </ModalTitle>
            {total > 1 && (
              <Text size="sm" className={classes.count} aria-live="polite">
                {t('preview.count', { at: formatNumber(place + 1), all: formatNumber(total) })}
              </Text>
            )}
            <BarButton Icon={IconDownload} label={t('preview.download')} onClick={() => save.mutate(entry)} />
            {canEdit && (
              <>
                <BarButton
                  Icon={IconShare}
                  label={t('drive.do.share')}
                  isDisabled={isEditing}
                  onClick={() => onAct('share', entry)}
                />
                <BarButton
                  Icon={IconCursorText}
                  label={t('drive.do.rename')}
                  isDisabled={isEditing}
                  onClick={() => setRenamedId(entry.id)}
                />
                <BarButton
                  Icon={IconTrash}
                  label={t('drive.do.recycle')}
                  isDisabled={isEditing}
                  onClick={() => onAct('recycle', entry)}
                />
              </>
            )}
            <BarButton
              Icon={IconInfoCircle}
              label={t('preview.details')}
              ref={detailsButton}
              isExpanded={showsDetails}
              onClick={() => setShowsDetails(!showsDetails)}
            />
            <BarButton Icon={IconX} label={t('common.close')} onClick={onClose} isFirst={!isMedia} isClose />
          </div>
          <div className={classes.middle}>
            <div className={classes.file}>
              <ModalBody className={classes.body} {...swipe} {...mediaKeys}>
                <FileView
                  key={entry.id}
                  entry={entry}
                  onZoom={setIsZoomed}
                  onEditing={setEditing}
                  onSave={() => save.mutate(entry)}
                />
                {!isEditing && (
                  <StepButtons hasPrevious={files.hasPrevious} hasNext={files.hasNext} onMove={move} />
                )}
              </ModalBody>
              {total > 1 && isVisual(entry) && <Filmstrip files={files} onShow={show} />}
            </div>
            {hasPanel && <PreviewDetails entry={entry} isFront={isFront} onClose={closePanel} />}
          </div>
        </div>
      </ViewerDialog>
      {isRenaming && <RenameDialog key={entry.id} entry={entry} onClose={() => setRenamedId(undefined)} />}
      {hasDrawer && <DetailsPanel entry={entry} isBesideFile onClose={() => setShowsDetails(false)} />}
    </>
  );
}

/** Whether to show the filmstrip. Documents need its height for themselves. */
function isVisual(entry: EntryRecord): boolean {
  return ['picture', 'video'].includes(toPreviewKind(entry));
}

interface BarButtonProps {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly Icon: TablerIcon;
  readonly label: string;
  readonly onClick: () => void;
  /** The initial focus. */
  readonly isFirst?: boolean;
  readonly isClose?: boolean;
  readonly isDisabled?: boolean;
  /** For a button that shows and hides something. */
  readonly isExpanded?: boolean;
}

function BarButton({ ref, Icon, label, onClick, ...is }: BarButtonProps) {
  return (
    <IconButton
      {...(ref === undefined ? {} : { ref })}
      className={classes.button}
      size={40}
      label={label}
      onClick={onClick}
      disabled={is.isDisabled === true}
      aria-expanded={is.isExpanded}
      data-autofocus={is.isFirst || undefined}
      data-close={is.isClose || undefined}
    >
      <Icon size={22} aria-hidden />
    </IconButton>
  );
}

/** Shows the name of the file in the browser's tab title. */
function useFileTitle(filename: string | undefined): void {
  const { name } = useInstance();
  const title = filename === undefined ? undefined : `${showMarks(filename)} – ${name}`;
  useEffect(() => {
    if (title === undefined) return;
    const before = document.title;
    document.title = title;
    return () => {
      document.title = before;
    };
  }, [title]);
}
