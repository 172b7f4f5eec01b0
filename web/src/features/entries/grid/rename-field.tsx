import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { stemLength } from '../entry-kind.ts';
import type { Renaming } from './column.ts';
import styles from './entry-grid.module.css';

/** The name of an entry while it is being edited. Leaving the field also saves it. */
export function RenameField({ entry, renaming }: { entry: EntryRecord; renaming: Renaming }) {
  const { t } = useTranslation();
  const [name, setName] = useState(renaming.typed.text ?? renaming.name ?? entry.filename);
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const { filename, directory } = entry;
  const { typed } = renaming;
  const [initial] = useState(name);
  useEffect(() => {
    field.current?.focus();
    // The extension can be changed, but is not selected at first.
    const stem = stemLength({ filename: initial, directory, contentType: null });
    const [start, end] = typed.range ?? [0, stem];
    field.current?.setSelectionRange(start, end);
  }, [initial, directory, typed]);
  /** @param rejected a name that is not tried again */
  const end = (isKept: boolean, rejected?: string) => {
    if (isOver.current) return;
    isOver.current = true;
    if (isKept && name.trim() !== '' && name !== filename && name !== rejected) renaming.onRename(name);
    else renaming.onCancel();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    end(event.key === 'Enter');
  };
  return (
    <input
      ref={field}
      className={styles.rename}
      data-rename
      aria-label={t('drive.newName')}
      value={name}
      maxLength={255}
      autoComplete="off"
      spellCheck={false}
      onChange={({ currentTarget: { value } }) => {
        typed.text = value;
        setName(value);
      }}
      onSelect={({ currentTarget: { selectionStart, selectionEnd } }) => {
        typed.range = [selectionStart ?? 0, selectionEnd ?? 0];
      }}
      onKeyDown={onKeyDown}
      onBlur={() => end(true, renaming.name)}
    />
  );
}
