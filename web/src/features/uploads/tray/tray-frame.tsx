import { Group, Paper, Progress, Text, Title } from '@mantine/core';
import {
  IconAlertCircle,
  IconChevronDown,
  IconChevronUp,
  IconCircleCheck,
  IconPlayerPause,
  IconPlayerPlay,
  IconUpload,
  IconX,
} from '@tabler/icons-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { formatBytes, formatNumber } from '../../../messages/formats.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { UnreadableList } from '../files/unreadable-list.tsx';
import type { UploadsView } from '../queue/upload-queue.ts';
import { uploads as queue } from '../uploads.ts';
import { DetachedNotice } from './detached-notice.tsx';
import { postponeDetached } from './postpone-detached.ts';
import { timeLeft } from './time-left.ts';
import { TrayList } from './tray-list.tsx';
import classes from './upload-tray.module.css';

const ConfirmDialog = lazyPart(async () => (await import('../../../ui/confirm-dialog.tsx')).ConfirmDialog);

/** The tray closes by itself this long after success. */
const SHOWN_MS = 10_000;

export function TrayFrame({ view }: { readonly view: UploadsView }) {
  const { t } = useTranslation();
  const { totals, unreadable } = view;
  const { count } = totals;
  const [isOpen, setOpen] = useState(count.detached > 0);
  const [isCancelling, setCancelling] = useState(false);
  const { title, text } = useSummary(view);
  const isAllDone = count.done === totals.all && !view.isReading && unreadable.count === 0;
  // Closing the tray keeps interrupted uploads for later.
  const isClosable = totals.ended + count.detached === totals.all;
  useEffect(() => {
    document.documentElement.toggleAttribute('data-uploads', true);
    return () => void document.documentElement.toggleAttribute('data-uploads', false);
  }, []);
  useEffect(() => {
    if (!isAllDone || isOpen) return;
    const timer = setTimeout(() => queue.clear(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isAllDone, isOpen]);
  const hasProblem = count.failed + count.taken + count.detached + unreadable.count > 0;
  const tone = hasProblem ? 'orange' : isAllDone ? 'green' : 'blue';
  const Icon = hasProblem ? IconAlertCircle : isAllDone ? IconCircleCheck : IconUpload;
  return (
    <Paper
      component="section"
      aria-label={t('uploads.title')}
      className={classes.frame}
      shadow="xl"
      radius="lg"
      withBorder
    >
      <Group className={classes.head} gap="sm" wrap="nowrap">
        <Icon size={24} aria-hidden color={`var(--mantine-color-${tone}-filled)`} />
        <div className={classes.summary}>
          <Title order={2} size="sm" lineClamp={2}>
            {title}
          </Title>
          {text !== '' && (
            <Text size="xs" c="dimmed" lineClamp={2}>
              {text}
            </Text>
          )}
        </div>
        <TrayButtons
          totals={totals}
          isOpen={isOpen}
          isClosable={isClosable}
          onToggle={() => setOpen(!isOpen)}
          onCancel={() => setCancelling(true)}
        />
        {totals.ended < totals.all && (
          <Progress
            className={classes.bar}
            size={4}
            radius={0}
            transitionDuration={0}
            value={totals.progress * 100}
            color={count.paused > 0 && totals.moving === 0 ? 'gray' : 'blue'}
            aria-label={t('uploads.overall')}
          />
        )}
      </Group>
      {isOpen && count.detached > 0 && <DetachedNotice view={view} />}
      {isOpen && unreadable.count > 0 && (
        <div className={classes.notice}>
          <UnreadableList unreadable={unreadable} />
        </div>
      )}
      {isOpen && <TrayList uploads={view.uploads} totals={totals} />}
      <Suspense>
        {isCancelling && (
          <ConfirmDialog
            title={t('uploads.cancelAllTitle')}
            text={t('uploads.cancelAllText')}
            action={t('uploads.cancelAll')}
            onClose={() => setCancelling(false)}
            onConfirm={() => {
              setCancelling(false);
              queue.cancel();
            }}
          />
        )}
      </Suspense>
    </Paper>
  );
}

function TrayButtons(props: {
  readonly totals: UploadsView['totals'];
  readonly isOpen: boolean;
  /** If false, the last button cancels all uploads instead of closing the tray. */
  readonly isClosable: boolean;
  readonly onToggle: () => void;
  /** Asks whether to cancel all uploads. */
  readonly onCancel: () => void;
}) {
  const { t } = useTranslation();
  const { totals, isOpen, isClosable, onToggle, onCancel } = props;
  const close = () => {
    if (totals.count.detached > 0) postponeDetached();
    queue.clear();
  };
  return (
    <Group gap={0} wrap="nowrap">
      {totals.moving > 0 && (
        <TrayButton label={t('uploads.pauseAll')} onClick={() => queue.pause()}>
          <IconPlayerPause size={20} aria-hidden />
        </TrayButton>
      )}
      {totals.moving === 0 && totals.count.paused > 0 && (
        <TrayButton label={t('uploads.resumeAll')} onClick={() => queue.resume()}>
          <IconPlayerPlay size={20} aria-hidden />
        </TrayButton>
      )}
      <TrayButton label={t(isOpen ? 'uploads.hide' : 'uploads.show')} isExpanded={isOpen} onClick={onToggle}>
        {isOpen ? <IconChevronDown size={20} aria-hidden /> : <IconChevronUp size={20} aria-hidden />}
      </TrayButton>
      <TrayButton
        label={t(isClosable ? 'uploads.close' : 'uploads.cancelAll')}
        onClick={isClosable ? close : onCancel}
      >
        <IconX size={20} aria-hidden />
      </TrayButton>
    </Group>
  );
}

function TrayButton(parts: {
  readonly label: string;
  readonly isExpanded?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <IconButton
      variant="subtle"
      color="gray"
      size={40}
      label={parts.label}
      aria-expanded={parts.isExpanded}
      onClick={parts.onClick}
    >
      {parts.children}
    </IconButton>
  );
}

/** What is happening, how far it is, and how fast. */
function useSummary(view: UploadsView): { readonly title: string; readonly text: string } {
  const { t } = useTranslation();
  const { totals, isServiceUnreachable, isReading, unreadable, bytesPerSecond } = view;
  const { count, alreadyHere } = totals;
  const sent = count.done - alreadyHere;
  const join = (parts: readonly (string | false | undefined)[]) =>
    parts.filter((part) => part !== false && part !== undefined).join(' · ');
  const problems = [
    count.failed > 0 && t('uploads.failed', { count: count.failed }),
    count.taken > 0 && t('uploads.taken', { count: count.taken }),
    count.detached > 0 && t('uploads.detached', { count: count.detached }),
    count.skipped > 0 && t('uploads.skipped', { count: count.skipped }),
    unreadable.count > 0 && t('uploads.unreadable', { count: unreadable.count }),
  ];

  if (isReading && totals.all === 0) return { title: t('uploads.reading', { count: totals.all }), text: '' };
  if (isServiceUnreachable && totals.moving > 0)
    return { title: t('uploads.held'), text: t('uploads.heldHint') };
  if (totals.moving > 0 || isReading) {
    const left = timeLeft(totals.size - totals.sentBytes, bytesPerSecond);
    return {
      title: t('uploads.progress', { ended: formatNumber(totals.ended), all: formatNumber(totals.all) }),
      text: join([
        `${formatNumber(Math.floor(totals.progress * 100))} %`,
        left && t(`uploads.${left.unit}Left`, { count: left.count }),
        bytesPerSecond !== undefined && t('uploads.perSecond', { size: formatBytes(bytesPerSecond) }),
        ...problems.slice(0, 2),
      ]),
    };
  }
  const parts = [
    count.paused > 0 && t('uploads.paused', { count: count.paused }),
    ...problems,
    sent > 0 && t('uploads.done', { count: sent }),
    alreadyHere > 0 && t('uploads.alreadyHere', { count: alreadyHere }),
  ].filter((part) => part !== false);
  return { title: parts[0] ?? '', text: join(parts.slice(1)) };
}
