import { Kbd } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import styles from './directory.module.css';

const SHORTCUTS = [
  ['open', ['Enter']],
  ['up', ['Backspace']],
  ['go', ['↑', '↓', 'Home', 'End', 'PgUp', 'PgDn']],
  ['range', ['Shift', '↑ ↓']],
  ['mark', ['Space']],
  ['all', ['Ctrl', 'A']],
  ['none', ['Esc']],
  ['copy', ['Ctrl', 'C']],
  ['cut', ['Ctrl', 'X']],
  ['paste', ['Ctrl', 'V']],
  ['undo', ['Ctrl', 'Z']],
  ['rename', ['F2']],
  ['recycle', ['Del']],
  ['details', ['Alt', 'Enter']],
  ['menu', ['Shift', 'F10']],
  ['type', ['A–Z']],
  ['search', ['/']],
  ['help', ['?']],
] as const;

/** The keyboard shortcuts of a list. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog onClose={onClose} title={t('drive.shortcuts')}>
      <dl className={styles.keys}>
        {SHORTCUTS.map(([name, keys]) => (
          <Fragment key={name}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key} mr={4}>
                  {key}
                </Kbd>
              ))}
            </dt>
            <dd>{t(`shortcuts.${name}`)}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
