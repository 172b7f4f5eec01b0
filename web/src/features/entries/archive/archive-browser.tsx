import { Anchor, Button, Checkbox, Group, Table, Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import type { ArchiveContents } from '../../../../../client/src/generated/records.ts';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { currentLocale } from '../../../messages/i18n.ts';
import { When } from '../../../ui/dates/when.tsx';
import { useCanEdit } from '../../drives/use-drive.ts';
import type { NameEncoding } from '../archive-listing.ts';
import { extractSome } from '../change/archive-tasks.ts';
import { driveOf } from '../drive-of.ts';
import { EntryIcon } from '../entry-icon.tsx';
import classes from './archive-browser.module.css';
import { type ArchivedEntry, toArchiveTree } from './archive-tree.ts';

const FolderPicker = lazyPart(async () => (await import('../folder-picker/folder-picker.tsx')).FolderPicker);

interface ArchiveBrowserProps {
  readonly archive: EntryRecord;
  readonly contents: ArchiveContents;
  readonly encoding: NameEncoding | undefined;
}

/** The folders of an archive, from which the user can extract single files and folders. */
export function ArchiveBrowser({ archive, contents, encoding }: ArchiveBrowserProps) {
  const { t } = useTranslation();
  const locale = currentLocale();
  const tree = useMemo(() => toArchiveTree(contents.entries, locale), [contents.entries, locale]);
  const [folder, setFolder] = useState('');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isPicking, setPicking] = useState(false);
  const extract = useExtract({ archive, encoding });
  const canEdit = useCanEdit()(driveOf(archive));
  // With another encoding, folders have other names.
  const shown = tree.get(folder) ?? tree.get('') ?? [];
  const chosen = shown.filter(({ path }) => selected.has(path));
  const go = (path: string) => {
    setFolder(path);
    setSelected(new Set());
  };
  const toggle = (path: string, isOn: boolean) => {
    const next = new Set(selected);
    if (isOn) next.add(path);
    else next.delete(path);
    setSelected(next);
  };
  return (
    <>
      <Group className={classes.bar} justify="space-between" gap="sm">
        <Trail name={archive.filename} folder={folder} onGo={go} />
        {canEdit && (
          <Button
            h="max(40px, var(--tap-size))"
            disabled={chosen.length === 0}
            onClick={() => setPicking(true)}
          >
            {chosen.length === 0 ? t('extract.now') : t('extract.some', { count: chosen.length })}
          </Button>
        )}
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll only what it can focus */}
      <section className={classes.list} tabIndex={0} aria-label={archive.filename}>
        {shown.length === 0 ? (
          <Text c="dimmed">{t('extract.emptyFolder')}</Text>
        ) : (
          <Table verticalSpacing={4}>
            <Head
              isAll={chosen.length === shown.length}
              isSome={chosen.length > 0}
              onAll={(isOn) => setSelected(new Set(isOn ? shown.map(({ path }) => path) : []))}
            />
            <Table.Tbody>
              {shown.map((entry) => (
                <Row
                  key={entry.path}
                  entry={entry}
                  isSelected={selected.has(entry.path)}
                  onSelect={(isOn) => toggle(entry.path, isOn)}
                  onOpen={() => go(entry.path)}
                />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </section>
      <Suspense>
        {isPicking && (
          <FolderPicker
            title={t('extract.someTitle', { count: chosen.length, name: chosen[0]?.name ?? '' })}
            action={t('extract.intoThis')}
            drive={driveOf(archive)}
            startAt={archive.parentPath}
            onPick={(into) => {
              setPicking(false);
              extract(chosen, into);
            }}
            onClose={() => setPicking(false)}
          />
        )}
      </Suspense>
    </>
  );
}

function useExtract({ archive, encoding }: Pick<ArchiveBrowserProps, 'archive' | 'encoding'>) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return (chosen: readonly ArchivedEntry[], into: string) => {
    const entries = chosen.map(({ path }) => path);
    void extractSome(queryClient, archive, { entries, into, encoding }, (drive) => {
      void navigate({ to: '/tasks', search: { drive } });
    });
  };
}

/** The way from the archive to the shown folder. */
function Trail(parts: { name: string; folder: string; onGo: (path: string) => void }) {
  const { name, folder, onGo } = parts;
  const { t } = useTranslation();
  const segments = folder.split('/').filter((segment) => segment !== '');
  const places = [
    { name, path: '' },
    ...segments.map((segment, index) => ({ name: segment, path: segments.slice(0, index + 1).join('/') })),
  ];
  return (
    <nav aria-label={t('extract.trail')} className={classes.trail}>
      <ol>
        {places.map((place, index) => (
          <li key={place.path}>
            {index > 0 && <IconChevronRight size={16} aria-hidden />}
            {index === places.length - 1 ? (
              <Text size="sm" fw={600} aria-current="location" className={classes.place}>
                {place.name}
              </Text>
            ) : (
              <Anchor
                component="button"
                type="button"
                size="sm"
                className={`${classes.place} ${classes.up}`}
                onClick={() => onGo(place.path)}
              >
                {place.name}
              </Anchor>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Head(parts: { isAll: boolean; isSome: boolean; onAll: (isOn: boolean) => void }) {
  const { isAll, isSome, onAll } = parts;
  const { t } = useTranslation();
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th w={44}>
          <Checkbox
            aria-label={t('extract.selectAll')}
            checked={isAll}
            indeterminate={isSome && !isAll}
            onChange={({ currentTarget }) => onAll(currentTarget.checked)}
          />
        </Table.Th>
        <Table.Th scope="col">{t('drive.name')}</Table.Th>
        <Table.Th scope="col" ta="end">
          {t('drive.size')}
        </Table.Th>
        <Table.Th scope="col" visibleFrom="sm">
          {t('drive.modifiedAt')}
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  );
}

interface RowProps {
  readonly entry: ArchivedEntry;
  readonly isSelected: boolean;
  readonly onSelect: (isOn: boolean) => void;
  readonly onOpen: () => void;
}

function Row({ entry, isSelected, onSelect, onOpen }: RowProps) {
  const { t } = useTranslation();
  const { name, directory, size, modifiedAt } = entry;
  return (
    <Table.Tr>
      <Table.Td>
        <Checkbox
          aria-label={t('extract.select', { name })}
          checked={isSelected}
          onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td>
        <span className={classes.entry}>
          <EntryIcon entry={{ filename: name, contentType: null, directory }} />
          {directory ? (
            <UnstyledButton className={classes.folder} onClick={onOpen}>
              {name}
            </UnstyledButton>
          ) : (
            <span className={classes.place}>{name}</span>
          )}
        </span>
      </Table.Td>
      <Table.Td ta="end" className={classes.fact}>
        {directory ? '' : formatBytes(size)}
      </Table.Td>
      <Table.Td visibleFrom="sm" className={classes.fact}>
        {modifiedAt !== null && <When iso={modifiedAt} />}
      </Table.Td>
    </Table.Tr>
  );
}
