import { TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { messageOf } from '../../../common/message-of.ts';
import { childOf, toDirectory } from '../../../common/names/drive-paths.ts';
import { freeName } from '../../../common/names/free-name.ts';
import { useDriveId } from '../../../features/drives/use-drive.ts';
import { renewLists } from '../../../features/entries/change/listed-entries.ts';
import { useStemSelection } from '../../../features/entries/change/use-stem-selection.ts';
import { type DirectoryPlace, listNamesLike } from '../../../features/entries/find-entry.ts';
import { requestEdit } from '../../../features/preview/text/edit-request.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { useIsOpen } from '../../../ui/dialogs/use-is-open.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';

export type NewKind = 'folder' | keyof typeof FILES;

const FILES = {
  text: { title: 'drive.newText', extension: '.txt', type: 'text/plain' },
  markdown: { title: 'drive.newMarkdown', extension: '.md', type: 'text/markdown' },
} as const;

interface NewEntryDialogProps {
  readonly kind: NewKind;
  /** The folder in which the entry is created. */
  readonly path: string;
  readonly onClose: () => void;
}

/** Creates a folder and selects it in the list, or creates an empty text file and opens its editor. */
export function NewEntryDialog({ kind, path, onClose }: NewEntryDialogProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const drive = useDriveId();
  const select = ({ id }: EntryRecord) =>
    navigate({ ...toDirectory(path, { drive, select: id }), replace: true });
  const wanted = kind === 'folder' ? '' : `${t('drive.untitled')}${FILES[kind].extension}`;
  const { data: suggested, isPending } = useQuery({
    queryKey: ['free-name', drive, path, wanted],
    queryFn: ({ signal }) => suggestName({ drive, directory: path }, wanted, signal),
    enabled: wanted !== '',
    gcTime: 0,
    retry: false,
  });
  if (kind === 'folder') {
    return (
      <NameDialog
        title={t('drive.newFolder')}
        label={t('drive.folderName')}
        create={(name) => ask('POST /api/files/mkdir', { body: { path: childOf(path, name) }, drive })}
        onCreated={select}
        onClose={onClose}
      />
    );
  }
  // The suggested name is selected, so it must not change any more.
  if (isPending) return null;
  return (
    <NameDialog
      title={t(FILES[kind].title)}
      label={t('drive.fileName')}
      initialName={suggested ?? wanted}
      create={(name) => createText({ drive, directory: path }, name, kind)}
      onCreated={async (file) => {
        requestEdit(file.id);
        // Adds the list to the history first, so that Back leads from the editor to it.
        await select(file);
        await navigate({ ...toDirectory(path), search: { drive, select: file.id, preview: file.id } });
      }}
      onClose={onClose}
    />
  );
}

/** The name itself, or with a number if it is taken. */
async function suggestName(place: DirectoryPlace, name: string, signal: AbortSignal): Promise<string> {
  const taken = await listNamesLike(place, name, signal);
  return taken.has(name) ? freeName(name, taken) : name;
}

/** @param name gets the extension of its kind if it has none @throws HoldallError 409 if it is taken */
function createText(place: DirectoryPlace, name: string, kind: keyof typeof FILES): Promise<EntryRecord> {
  const { extension, type } = FILES[kind];
  const filename = name.includes('.') ? name : `${name}${extension}`;
  const body = new FormData();
  body.set('path', place.directory);
  body.set('file', new File([], filename, { type }));
  return ask('POST /api/files/upload', { body, drive: place.drive });
}

interface NameDialogProps {
  readonly title: string;
  readonly label: string;
  /** The suggested name. Its stem is selected. */
  readonly initialName?: string;
  readonly create: (name: string) => Promise<EntryRecord>;
  /** Called after the dialog has closed by itself. */
  readonly onCreated: (entry: EntryRecord) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the name of a new entry and creates it. A taken name is reported at the field. */
function NameDialog({ title, label, initialName = '', create, onCreated, onClose }: NameDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [text, setText] = useState(initialName);
  const selectStem = useStemSelection({ filename: initialName, directory: false, contentType: null });
  const isOpen = useIsOpen();
  const name = text.trim();
  // The service would create nested folders for a name with a slash.
  const hasSlash = name.includes('/');
  const make = useMutation({
    mutationFn: () => create(name),
    onSuccess: async (entry) => {
      await renewLists(queryClient);
      // A user who has closed the dialog meanwhile is doing something else.
      if (!isOpen.current) return;
      onClose();
      await onCreated(entry);
    },
    onError: (error) => {
      if (!isOpen.current) notifyError(error);
    },
  });
  return (
    <FormDialog
      title={title}
      action={t('drive.create')}
      isPending={make.isPending}
      isReady={name !== '' && !hasSlash}
      onSubmit={make.mutate}
      onClose={onClose}
    >
      <TextInput
        label={label}
        data-autofocus
        value={text}
        autoComplete="off"
        maxLength={255}
        error={hasSlash ? t('drive.noSlash') : make.error && messageOf(make.error)}
        onFocus={selectStem}
        onChange={(event) => {
          setText(event.currentTarget.value);
          make.reset();
        }}
      />
    </FormDialog>
  );
}
