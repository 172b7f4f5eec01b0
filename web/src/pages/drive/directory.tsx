import { Button, Group, Stack, Text } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { ask } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { nameOf, parentOf, ROOT, toDirectory } from '../../common/names/drive-paths.ts';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { EntryBrowser } from '../../features/drive/entry-browser.tsx';
import { useOfferedFolderActions } from '../../features/drive/folder-actions.ts';
import type { ScrollPlace } from '../../features/drive/use-scroll-place.ts';
import { useDriveName } from '../../features/drives/drive-names.ts';
import { type Drive, useDrive } from '../../features/drives/use-drive.ts';
import type { EntrySource } from '../../features/entries/entry-source.ts';
import { findByPrefix } from '../../features/entries/find-by-prefix.ts';
import type { DirectoryPlace } from '../../features/entries/find-entry.ts';
import {
  type DisplaySettings,
  sortBy,
  useDisplaySettings,
} from '../../features/entries/grid/state/display-settings.ts';
import { type Pages, usePages } from '../../features/entries/use-pages.ts';
import { DropTarget } from '../../features/uploads/choose/drop-target.tsx';
import {
  UploadMenu,
  type UploadPickers,
  useUploadPickers,
} from '../../features/uploads/choose/upload-menu.tsx';
import { Page } from '../../ui/page/page.tsx';
import { EmptyNotice } from '../../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../../ui/placeholders/failure-notice.tsx';
import { ListPlaceholder } from '../../ui/placeholders/list-placeholder.tsx';
import { useIsTouch } from '../../ui/screen-size.ts';
import { ColumnMenu } from './column-menu.tsx';
import { FirstSteps } from './first-steps.tsx';
import type { NewKind } from './new/new-entry-dialog.tsx';
import { NewFolderButton } from './new/new-folder-button.tsx';
import { Trail } from './trail.tsx';
import { ViewTools } from './view-tools.tsx';

const DriveButton = lazyPart(async () => (await import('./drive-button.tsx')).DriveButton);
const BackgroundMenu = lazyPart(async () => (await import('./background-menu.tsx')).BackgroundMenu);
const NewEntryDialog = lazyPart(async () => (await import('./new/new-entry-dialog.tsx')).NewEntryDialog);
const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);

/** The scroll position of each directory, by drive and path, restored when the user comes back. */
const places = new Map<string, ScrollPlace>();

interface DirectoryProps {
  readonly path: string;
  readonly isNarrow: boolean;
  /** Whether there is so little height that the trail and the buttons share the line of the toolbar. */
  readonly isLow: boolean;
}

/** A directory of the drive with its actions. */
export function Directory({ path, isNarrow, isLow }: DirectoryProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const drive = useDrive();
  const driveName = useDriveName(drive.id);
  const { select } = useSearch({ from: '/inside/in-drive/drive/$' });
  const { view, tileSize, columns, sort, order } = useDisplaySettings();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [making, setMaking] = useState<NewKind>();
  const pickers = useUploadPickers(path);
  const [place] = useState(() => placeOf(`${drive.key}:${path}`));

  const pages = usePages<EntryRecord>({
    queryKey: [...KEYS.entries(path, drive.key), sort ?? 'default', order],
    fetchPage: (page, size, signal) =>
      ask('GET /api/files/list', { query: { path, sort, order, page, size }, drive: drive.id, signal }),
  });
  const listed = withTypeAhead(pages, { drive: drive.id, directory: path }, { sort, order });
  const isEmpty = !pages.isPending && pages.error === null && pages.total === 0;
  const goUp = () => {
    if (path !== ROOT) void navigate(toDirectory(parentOf(path)));
  };
  const isSmall = isNarrow || isLow;
  const hasSteps = drive.id === undefined && path === ROOT && !isLow;
  const trail = <Trail path={path} isNarrow={isSmall} isLow={isLow} />;
  const canEdit = drive.can('EDIT');
  const newFolder = () => setMaking('folder');
  const newText = () => setMaking('text');
  useOfferedFolderActions(canEdit && pages.error === null, { ...pickers, newFolder, newText });
  const buttons = pages.error === null && (
    <FolderButtons drive={drive} path={path} isNarrow={isSmall} pickers={pickers} onNew={setMaking} />
  );
  const isInToolbar = isLow && pages.error === null;
  const viewTools = !isEmpty && <ViewTools onHelp={() => setHelpOpen(true)} />;
  return (
    <Page title={!isInToolbar && trail} actions={buttons} isFilling>
      {hasSteps && <FirstSteps onUpload={pickers.pickFiles} />}
      {pages.error === null ? (
        <DropTarget path={path} isOff={!canEdit}>
          <EntryBrowser
            source={listed}
            isLoading={pages.isPending}
            label={t('drive.filesIn', { folder: nameOf(path) || driveName })}
            view={view}
            tileSize={tileSize}
            columns={columns}
            columnMenu={<ColumnMenu />}
            sorting={{
              sort: sort ?? 'default',
              order,
              onSort: (by) => sortBy(by === 'default' || by === 'name' ? undefined : by),
            }}
            status={
              <Text size="sm" c="dimmed">
                {pages.total > 0 && t('drive.count', { count: pages.total })}
              </Text>
            }
            {...(isInToolbar && { heading: trail })}
            tools={
              isInToolbar ? (
                <Group gap="xs" wrap="nowrap">
                  {viewTools}
                  {buttons}
                </Group>
              ) : (
                viewTools
              )
            }
            empty={
              isEmpty ? (
                <EmptyDirectory isRoot={path === ROOT} canEdit={canEdit} />
              ) : (
                pages.isPending && <ListPlaceholder />
              )
            }
            select={select}
            directory={path}
            backgroundMenu={(background) => (
              <Suspense fallback={null}>
                <BackgroundMenu
                  {...background}
                  onNewFolder={newFolder}
                  onNewText={setMaking}
                  onFiles={pickers.pickFiles}
                  onFolder={pickers.pickFolder}
                />
              </Suspense>
            )}
            onUp={goUp}
            onHelp={() => setHelpOpen(true)}
            place={place}
          />
        </DropTarget>
      ) : (
        <DirectoryFailure error={pages.error} onRetry={pages.retry} />
      )}
      {making !== undefined && (
        <Suspense fallback={null}>
          <NewEntryDialog kind={making} path={path} onClose={() => setMaking(undefined)} />
        </Suspense>
      )}
      {isHelpOpen && (
        <Suspense fallback={null}>
          <ShortcutsDialog onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
    </Page>
  );
}

interface FolderButtonsProps {
  readonly drive: Drive;
  readonly path: string;
  readonly isNarrow: boolean;
  readonly pickers: UploadPickers;
  readonly onNew: (kind: NewKind) => void;
}

function FolderButtons({ drive, path, isNarrow, pickers, onNew }: FolderButtonsProps) {
  return (
    <Group gap="xs" wrap="nowrap" style={{ flexShrink: 0 }}>
      {drive.id !== undefined && (
        <Suspense fallback={null}>
          <DriveButton id={drive.id} path={path} isNarrow={isNarrow} />
        </Suspense>
      )}
      {drive.can('EDIT') && (
        <>
          <NewFolderButton isNarrow={isNarrow} onOpen={() => onNew('folder')} />
          <UploadMenu pickers={pickers} isNarrow={isNarrow} onNewText={onNew} />
        </>
      )}
    </Group>
  );
}

/**
 * Adds a search for names in the unloaded part of the list. It works only for lists sorted by name.
 */
function withTypeAhead(
  pages: Pages<EntryRecord>,
  { drive, directory: path }: DirectoryPlace,
  { sort, order }: Pick<DisplaySettings, 'sort' | 'order'>,
): EntrySource<EntryRecord> {
  if (sort !== undefined && sort !== 'name') return pages;
  const readOne = async (index: number) => {
    const query = { path, sort, order, page: index, size: 1 };
    const loaded = pages.at(index);
    return loaded ?? (await ask('GET /api/files/list', { query, drive })).items[0];
  };
  const nameOrder = { direction: order, isFoldersFirst: sort === undefined };
  return { ...pages, findByPrefix: (text) => findByPrefix(text, pages.total, nameOrder, readOne) };
}

function placeOf(directory: string): ScrollPlace {
  const place = places.get(directory) ?? { top: 0, active: -1 };
  places.set(directory, place);
  return place;
}

/** Shown for a folder that does not exist or cannot be read now. */
function DirectoryFailure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const { t } = useTranslation();
  const isGone = error instanceof HoldallError && error.status === 404;
  return (
    <Stack align="flex-start" pt="md">
      {isGone ? (
        <FailureNotice error={error} title={t('drive.noFolder')} />
      ) : (
        <FailureNotice error={error} onRetry={onRetry} />
      )}
      <Button renderRoot={(root) => <Link {...toDirectory(ROOT)} {...root} />} variant="default">
        {t('common.backToFiles')}
      </Button>
    </Stack>
  );
}

function EmptyDirectory(props: { readonly isRoot: boolean; readonly canEdit: boolean }) {
  const { isRoot, canEdit } = props;
  const { t } = useTranslation();
  const isTouch = useIsTouch();
  return (
    <EmptyNotice
      drawing={isRoot ? 'bag' : 'folder'}
      title={t(isRoot ? 'drive.emptyDrive' : 'drive.emptyFolder')}
    >
      {t(canEdit ? (isTouch ? 'drive.emptyHintTouch' : 'drive.emptyHint') : 'drive.viewOnly')}
    </EmptyNotice>
  );
}
