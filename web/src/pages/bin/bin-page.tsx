import { Button, Group, Menu, Text } from '@mantine/core';
import { IconRestore, IconTrash, IconTrashX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BinRecord } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { toDirectory } from '../../common/names/drive-paths.ts';
import { type Drive, useDrive } from '../../features/drives/use-drive.ts';
import { type Chosen, chosenOf } from '../../features/entries/entry-source.ts';
import { EntryRows } from '../../features/entries/grid/entry-rows.tsx';
import { PointMenu } from '../../features/entries/grid/pointer/point-menu.tsx';
import { type GridMenu, useEntryGrid } from '../../features/entries/grid/state/use-entry-grid.ts';
import { useFirstFocus } from '../../features/entries/grid/state/use-first-focus.ts';
import { usePages } from '../../features/entries/use-pages.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DANGER } from '../../ui/danger.ts';
import { Page } from '../../ui/page/page.tsx';
import { EmptyNotice } from '../../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../../ui/placeholders/failure-notice.tsx';
import { ListPlaceholder } from '../../ui/placeholders/list-placeholder.tsx';
import { useIsLow, useIsNarrow } from '../../ui/screen-size.ts';
import { BinBar } from './bin-bar.tsx';
import { emptyBin, purge, restore } from './change-bin.ts';
import { useBinColumns } from './use-bin-columns.tsx';

type Question = { readonly kind: 'empty' } | { readonly kind: 'purge'; readonly chosen: Chosen<BinRecord> };

/** Deleted entries until they are purged, with actions to restore or delete them. */
export function BinPage() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();
  const isLow = useIsLow();
  const columns = useBinColumns(isNarrow);
  const [menu, setMenu] = useState<GridMenu<BinRecord>>();
  const [question, setQuestion] = useState<Question>();
  const drive = useDrive();
  const pages = useBinEntries(drive);
  const grid = useEntryGrid({
    source: pages,
    // An entry in the bin cannot be opened, so opening it shows its actions.
    onOpen: (_, index) => {
      const place = grid.ref.current?.querySelector(`[data-index="${index}"]`)?.getBoundingClientRect();
      if (place !== undefined) grid.openMenu({ x: place.left + 56, y: place.top + 40 }, index);
    },
    onMenu: (chosen) => {
      // Viewers of a shared drive can do nothing here.
      if (drive.can('EDIT')) setMenu(chosen);
    },
    onKey: ({ key }) => {
      if (key !== 'Delete' || grid.count === 0 || !drive.can('MANAGE')) return false;
      setQuestion({ kind: 'purge', chosen: grid.chosen() });
      return true;
    },
  });
  useFirstFocus(grid.focus, pages.total > 0);
  const bringBack = (chosen: Chosen<BinRecord>) => {
    grid.clear();
    void restore(queryClient, chosen, (entry) => {
      void navigate(toDirectory(entry.parentPath, { drive: drive.id, select: entry.id }));
    });
  };
  const askToPurge = (chosen: Chosen<BinRecord>) => setQuestion({ kind: 'purge', chosen });
  const close = () => {
    setQuestion(undefined);
    requestAnimationFrame(grid.focus);
  };
  const confirm = () => {
    if (question?.kind === 'purge') void purge(queryClient, question.chosen);
    else void emptyBin(queryClient, drive.id);
    grid.clear();
    close();
  };
  const isEmpty = !pages.isPending && pages.error === null && pages.total === 0;
  return (
    <Page
      title={t('nav.bin')}
      actions={
        pages.total > 0 &&
        drive.can('MANAGE') && (
          <Button
            variant="default"
            h={40}
            leftSection={<IconTrash size={18} aria-hidden />}
            onClick={() => setQuestion({ kind: 'empty' })}
          >
            {t('bin.empty')}
          </Button>
        )
      }
      isFilling
    >
      {pages.error !== null && <FailureNotice error={pages.error} onRetry={pages.retry} />}
      {pages.total > 0 && (
        <>
          <Group mih={44} wrap="nowrap">
            {grid.count > 0 ? (
              <BinBar grid={grid} isNarrow={isNarrow} onRestore={bringBack} onPurge={askToPurge} />
            ) : (
              <Text size="sm" c="dimmed">
                {t('bin.count', { count: pages.total })}
              </Text>
            )}
          </Group>
          <EntryRows grid={grid} label={t('nav.bin')} columns={columns} isNarrow={isNarrow} isLow={isLow} />
        </>
      )}
      {pages.isPending && pages.error === null && <ListPlaceholder />}
      {isEmpty && (
        <EmptyNotice drawing="bin" title={t('bin.isEmpty')}>
          {t('bin.hint')}
        </EmptyNotice>
      )}
      <BinMenu
        menu={menu}
        onRestore={bringBack}
        onPurge={askToPurge}
        onClose={() => setMenu(undefined)}
        onFocusBack={grid.focus}
      />
      {question !== undefined && (
        <QuestionDialog question={question} total={pages.total} onConfirm={confirm} onClose={close} />
      )}
    </Page>
  );
}

function useBinEntries({ id: drive, key }: Drive) {
  return usePages<BinRecord>({
    queryKey: KEYS.bin(key),
    fetchPage: (page, size, signal) =>
      ask('GET /api/files/recycle-bin', { query: { page, size }, drive, signal }),
  });
}

/** Asks before entries are purged. @param props.total the number of entries in the bin */
function QuestionDialog(props: {
  readonly question: Question;
  readonly total: number;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const { question, total, onConfirm, onClose } = props;
  const only = question.kind === 'purge' ? question.chosen.only : undefined;
  const count = question.kind === 'purge' ? question.chosen.count : total;
  return (
    <ConfirmDialog
      title={t(question.kind === 'empty' ? 'bin.emptyTitle' : 'bin.purgeTitle', {
        count,
        name: only?.filename ?? '',
      })}
      text={t('bin.forGood')}
      action={t(question.kind === 'empty' ? 'bin.empty' : 'bin.purge')}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}

interface MenuProps {
  readonly menu: GridMenu<BinRecord> | undefined;
  readonly onRestore: (chosen: Chosen<BinRecord>) => void;
  readonly onPurge: (chosen: Chosen<BinRecord>) => void;
  readonly onClose: () => void;
  readonly onFocusBack: () => void;
}

function BinMenu({ menu, onRestore, onPurge, onClose, onFocusBack }: MenuProps) {
  const { t } = useTranslation();
  const { can } = useDrive();
  const last = useRef<Chosen<BinRecord>>(chosenOf([]));
  if (menu !== undefined) last.current = menu.chosen;
  const chosen = last.current;
  const label = chosen.only?.filename ?? t('drive.selected', { count: chosen.count });
  return (
    <PointMenu at={menu?.at} label={label} onClose={onClose} onFocusBack={onFocusBack}>
      <Menu.Item leftSection={<IconRestore size={18} aria-hidden />} onClick={() => onRestore(chosen)}>
        {t('bin.restore')}
      </Menu.Item>
      {can('MANAGE') && (
        <Menu.Item
          c={DANGER}
          leftSection={<IconTrashX size={18} aria-hidden />}
          onClick={() => onPurge(chosen)}
        >
          {t('bin.purge')}
        </Menu.Item>
      )}
    </PointMenu>
  );
}
