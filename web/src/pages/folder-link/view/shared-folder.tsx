import { Button, Loader, NativeSelect, Text } from '@mantine/core';
import { IconDownload, IconLayoutGrid, IconList, IconX } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicFolderLink } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { hasPage } from '../../../features/entries/entry-kind.ts';
import { useStepBack } from '../../../features/preview/use-step-back.ts';
import { SendPanel } from '../../../features/sending/send-panel.tsx';
import type { Sending } from '../../../features/sending/use-visitor-uploads.ts';
import { useLinkedDownload } from '../../../features/shares/folder-links/download-linked.ts';
import {
  type NumberedEntry,
  ORDERS,
  type Order,
  useEndCheck,
  useLinkedEntries,
} from '../../../features/shares/folder-links/use-folder-link.ts';
import { importInto } from '../../../features/shares/public/import-into.ts';
import { SaveToDrive } from '../../../features/shares/public/save-to-drive.tsx';
import { formatNumber } from '../../../messages/formats.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { EmptyNotice } from '../../../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import styles from '../folder-link.module.css';
import { LinkHead } from '../link-head.tsx';
import { LinkedLines } from './linked-lines.tsx';
import { LinkedPictures } from './linked-pictures.tsx';
import { LinkedTrail } from './linked-trail.tsx';

const LinkedPreview = lazyPart(async () => (await import('./linked-preview.tsx')).LinkedPreview);

/** The content of a folder link: lists of its directories, previews, and downloads. */
export function SharedFolder({
  link,
  sending,
}: {
  readonly link: PublicFolderLink;
  readonly sending: Sending;
}) {
  const { t } = useTranslation();
  const { token } = link;
  const { path = '/', preview } = useSearch({ from: '/f/$token' });
  const navigate = useNavigate({ from: '/f/$token' });
  const stepBack = useStepBack();
  const [order, setOrder] = useState<Order>('name');
  const entries = useLinkedEntries(token, path, order);
  const [view, setView] = useState<'list' | 'tiles'>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [shownPath, setShownPath] = useState(path);
  if (shownPath !== path) {
    setShownPath(path);
    setSelected(new Set());
  }
  const isTiles = (view ?? preferredView(entries.whole ?? [entries.at(0)])) === 'tiles';
  const Entries = isTiles ? LinkedPictures : LinkedLines;
  const download = useLinkedDownload(token);
  const toggle = (name: string) =>
    setSelected((before) => {
      const next = new Set(before);
      if (!next.delete(name)) next.add(name);
      return next;
    });
  const shownAt = preview === undefined ? undefined : indexOf(entries, preview);
  const go = (next: string | undefined) =>
    void navigate({
      search: { ...(path === '/' ? {} : { path }), ...(next !== undefined && { preview: next }) },
      // Replaces the history entry of the previous file, so one step back leads to the list.
      replace: preview !== undefined,
    });
  const show = (entry: NumberedEntry | undefined) => {
    if (entry === undefined) return stepBack.close(() => go(undefined));
    if (preview === undefined) stepBack.noteOpened();
    go(entry.path);
  };
  return (
    <div className={styles.page} data-fills={link.mode === 'VIEW' || undefined}>
      <LinkHead link={link}>
        {link.mode === 'BOTH' && <SendPanel link={link} sending={sending} path={path} isCompact />}
      </LinkHead>
      <div className={styles.bar}>
        <div>
          {path !== '/' && <LinkedTrail title={link.title} path={path} />}
          <Text size="sm" c="dimmed" role="status">
            {!entries.isPending &&
              entries.error === null &&
              t('folderLinks.entryCount', { count: entries.total, number: formatNumber(entries.total) })}
          </Text>
        </div>
        <div className={styles.actions}>
          {selected.size > 0 ? (
            <>
              <IconButton
                variant="subtle"
                size={40}
                label={t('folderLinks.clearSelection')}
                onClick={() => setSelected(new Set())}
              >
                <IconX size={20} aria-hidden />
              </IconButton>
              <Button
                h={40}
                leftSection={<IconDownload size={18} aria-hidden />}
                onClick={() => void download([...selected])}
              >
                {t('folderLinks.downloadSelected', { count: selected.size })}
              </Button>
            </>
          ) : (
            <Button
              h={40}
              leftSection={<IconDownload size={18} aria-hidden />}
              disabled={entries.total === 0}
              onClick={() => void download([path])}
            >
              {t('folderLinks.downloadAll')}
            </Button>
          )}
          <SaveFolder key={path} link={link} path={path} />
          <NativeSelect
            size="md"
            aria-label={t('folderLinks.order')}
            data={Object.keys(ORDERS).map((value) => ({
              value,
              label: t(`folderLinks.order_${value as Order}`),
            }))}
            value={order}
            // The options have no other values.
            onChange={({ currentTarget: { value } }) => setOrder(value as Order)}
          />
          <IconButton
            variant="subtle"
            color="gray"
            size={40}
            label={t(isTiles ? 'folderLinks.asList' : 'folderLinks.asTiles')}
            onClick={() => setView(isTiles ? 'list' : 'tiles')}
          >
            {isTiles ? <IconList size={20} aria-hidden /> : <IconLayoutGrid size={20} aria-hidden />}
          </IconButton>
        </div>
      </div>
      {entries.error !== null && <FailureNotice error={entries.error} onRetry={entries.retry} />}
      {entries.isPending && <Loader m="auto" aria-label={t('preview.loading')} />}
      {!entries.isPending && entries.error === null && entries.total === 0 && (
        <EmptyNotice drawing="folder" title={t('folderLinks.empty')}>
          {link.mode === 'BOTH' && t('folderLinks.emptyUpload')}
        </EmptyNotice>
      )}
      {entries.total > 0 && (
        <Entries
          key={isTiles ? `${path} ${order}` : path}
          {...{ token, entries, selected }}
          onToggle={toggle}
          onShow={show}
        />
      )}
      {shownAt !== undefined && (
        <Suspense>
          <LinkedPreview token={token} entries={entries} at={shownAt} onShow={show} />
        </Suspense>
      )}
    </div>
  );
}

/** Copies the shown directory into the drive of a visitor with an account. */
function SaveFolder({ link, path }: { readonly link: PublicFolderLink; readonly path: string }) {
  const name = path.slice(path.lastIndexOf('/') + 1) || link.title;
  const checkEnd = useEndCheck(link.token);
  return (
    <SaveToDrive
      name={name}
      isMain={false}
      size="sm"
      onSave={(place) =>
        importInto(place, { filename: name, directory: true }, (onConflict) =>
          ask('POST /api/v2/folder-links/{token}/import', {
            path: { token: link.token },
            body: { path, targetPath: place.directory, onConflict },
            drive: place.drive,
          }).catch(async (error: unknown) => {
            await checkEnd(error);
            throw error;
          }),
        )
      }
    />
  );
}

/** Prefers tiles for folders with many pictures. */
function preferredView(entries: readonly (NumberedEntry | undefined)[]): 'list' | 'tiles' {
  const pictured = entries.filter((entry) => entry?.thumbnailVersion != null && !hasPage(entry)).length;
  return pictured * 2 > entries.length ? 'tiles' : 'list';
}

function indexOf(
  entries: { readonly total: number; at(index: number): NumberedEntry | undefined },
  path: string,
): number | undefined {
  for (let index = 0; index < entries.total; index += 1) if (entries.at(index)?.path === path) return index;
  return undefined;
}
