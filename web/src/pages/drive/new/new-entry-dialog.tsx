import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { childOf, toDirectory } from '../../../common/names/drive-paths.ts';
import { requestEdit } from '../../../features/preview/text/edit-request.ts';
import { NameDialog } from './name-dialog.tsx';

export type NewKind = 'folder' | 'text';

const EXTENSION = '.txt';

interface NewEntryDialogProps {
  readonly kind: NewKind;
  /** The folder in which it is created. */
  readonly path: string;
  readonly onClose: () => void;
}

/** Creates a folder, which is then selected in the list, or an empty text file, whose editor then opens. */
export function NewEntryDialog({ kind, path, onClose }: NewEntryDialogProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const select = ({ id }: EntryRecord) =>
    navigate({ ...toDirectory(path), search: { select: id }, replace: true });
  if (kind === 'folder') {
    return (
      <NameDialog
        title={t('drive.newFolder')}
        label={t('drive.folderName')}
        create={(name) => ask('POST /api/files/mkdir', { body: { path: childOf(path, name) } })}
        onCreated={select}
        onClose={onClose}
      />
    );
  }
  return (
    <NameDialog
      title={t('drive.newText')}
      label={t('drive.fileName')}
      initialName={`${t('drive.newText')}${EXTENSION}`}
      create={(name) => createText(path, name)}
      onCreated={async (file) => {
        requestEdit(file.id);
        // Below the editor is the list, to which the back button leads.
        await select(file);
        await navigate({ ...toDirectory(path), search: { select: file.id, preview: file.id } });
      }}
      onClose={onClose}
    />
  );
}

/** @param name without an extension it gets that of texts @throws HoldallError 409 if it is taken */
function createText(path: string, name: string): Promise<EntryRecord> {
  const filename = name.includes('.') ? name : `${name}${EXTENSION}`;
  const body = new FormData();
  body.set('path', path);
  body.set('file', new File([], filename, { type: 'text/plain' }));
  return ask('POST /api/files/upload', { body });
}
