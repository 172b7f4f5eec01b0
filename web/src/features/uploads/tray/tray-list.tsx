import { Button, Group } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isEnded, needsPerson, type Totals, type Upload } from '../upload.ts';
import { uploads as queue } from '../uploads.ts';
import { UploadRow } from './upload-row.tsx';
import classes from './upload-tray.module.css';

// As in the style sheet.
const ROW_PX = 64;
const ROWS_IN_SIGHT = 6;
const MORE_ROWS = 4;

/** Every upload: those that need the user first, then the active ones, then the ended ones. */
export function TrayList({
  uploads,
  totals,
}: {
  readonly uploads: readonly Upload[];
  readonly totals: Totals;
}) {
  const { t } = useTranslation();
  const [top, setTop] = useState(0);
  const sorted = useMemo(() => sortForTray(uploads), [uploads]);
  // Rows have equal height, so no measuring is needed: of ten thousand, only those around the view are
  // rendered.
  const first = Math.max(0, Math.min(Math.floor(top / ROW_PX), sorted.length - 1) - MORE_ROWS);
  const rows = sorted.slice(first, first + ROWS_IN_SIGHT + 2 * MORE_ROWS);
  const { failed } = totals.count;
  return (
    <>
      <div className={classes.list} onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}>
        <ul className={classes.rows} style={{ height: sorted.length * ROW_PX }}>
          {rows.map((upload, index) => (
            <li
              key={upload.id}
              className={classes.row}
              style={{ transform: `translateY(${(first + index) * ROW_PX}px)` }}
              aria-setsize={sorted.length}
              aria-posinset={first + index + 1}
            >
              <UploadRow upload={upload} />
            </li>
          ))}
        </ul>
      </div>
      {(failed > 1 || (totals.ended > 0 && totals.ended < totals.all)) && (
        <Group className={classes.foot} justify="flex-end" gap={4}>
          {failed > 1 && (
            <Button h={40} size="compact-sm" px="sm" variant="subtle" onClick={() => queue.retry()}>
              {t('uploads.retryAll')}
            </Button>
          )}
          {totals.ended > 0 && (
            <Button h={40} size="compact-sm" px="sm" variant="subtle" onClick={() => queue.clear()}>
              {t('uploads.clear')}
            </Button>
          )}
        </Group>
      )}
    </>
  );
}

function sortForTray(uploads: readonly Upload[]): readonly Upload[] {
  const asking: Upload[] = [];
  const going: Upload[] = [];
  const ended: Upload[] = [];
  for (const upload of uploads) (needsPerson(upload) ? asking : isEnded(upload) ? ended : going).push(upload);
  return [...asking, ...going, ...ended];
}
