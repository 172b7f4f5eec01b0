import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../api/contract.ts';
import { stemLength } from '../entry-kind.ts';
import type { Renaming } from './column.ts';
import styles from './entry-grid.module.css';

/** The name of an entry while it is being edited. Leaving the field also saves it. */
export function RenameField({ entry, renaming }: { entry: EntryRecord; renaming: Renaming }) {
  const { t } = useTranslation();
  const [name, setName] = useState(renaming.name ?? entry.filename);
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const { filename, directory } = entry;
  const [initial] = useState(name);
  useEffect(() => {
    field.current?.focus();
    // The extension is not selected, but can be changed.
    field.current?.setSelectionRange(0, stemLength({ filename: initial, directory, contentType: null }));
  }, [initial, directory]);
  /** @param refused a name that is not tried again */
  const end = (isKept: boolean, refused?: string) => {
    if (isOver.current) return;
    isOver.current = true;
    if (isKept && name.trim() !== '' && name !== filename && name !== refused) renaming.onRename(name);
    else renaming.onCancel();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // Enter confirms a word of an input method, not the name.
    if (event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    end(event.key === 'Enter');
  };
  return (
    <input
      ref={field}
      className={styles.rename}
      data-rename
      aria-label={t('drive.newName', { name: filename })}
      value={name}
      maxLength={255}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setName(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => end(true, renaming.name)}
    />
  );
}
