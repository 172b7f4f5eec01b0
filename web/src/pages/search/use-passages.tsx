import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { addressOf } from '../../common/names/drive-paths.ts';
import { driveOf } from '../../features/entries/drive-of.ts';
import type { Column } from '../../features/entries/grid/column.ts';
import { toPassage } from './passage.ts';
import classes from './search-page.module.css';

/** The column with the passages of files found by their content. */
export function usePassages(isShown: boolean): Column<EntryRecord> | undefined {
  const { t } = useTranslation();
  return useMemo((): Column<EntryRecord> | undefined => {
    if (!isShown) return undefined;
    return {
      name: 'passage',
      title: t('search.passage'),
      width: '0',
      isSecondLine: true,
      cell: (entry) => <Passage entry={entry} />,
    };
  }, [isShown, t]);
}

/** @param entry as a search returns it */
function Passage({ entry }: { readonly entry: EntryRecord & { readonly snippet?: unknown } }) {
  const { snippet } = entry;
  if (typeof snippet !== 'string') return null;
  return (
    <a
      href={addressOf(entry, driveOf(entry))}
      tabIndex={-1}
      draggable={false}
      className={classes.passage}
      data-opens
    >
      {toPassage(snippet).map(({ text, isHit, at }) =>
        isHit ? (
          <mark key={at} className={classes.hit}>
            {text}
          </mark>
        ) : (
          <span key={at}>{text}</span>
        ),
      )}
    </a>
  );
}
