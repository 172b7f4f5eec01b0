import { Button, Group } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { isEnded, needsPerson, type Totals, type Upload } from './upload.ts';
import { UploadRow } from './upload-row.tsx';
import classes from './upload-tray.module.css';
import { uploads as queue } from './uploads.ts';

const ROW_PX = 64;

/** Each upload: first what asks for the person, then what is on its way, then what has ended. */
export function TrayList({
  uploads,
  totals,
}: {
  readonly uploads: readonly Upload[];
  readonly totals: Totals;
}) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const sorted = useMemo(() => sortForTray(uploads), [uploads]);
  const rows = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    getItemKey: (index) => sorted[index]?.id ?? index,
  });
  const { failed } = totals.count;
  return (
    <>
      <div ref={scroller} className={classes.list}>
        <ul className={classes.rows} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const upload = sorted[index];
            return (
              upload && (
                <li
                  key={key}
                  className={classes.row}
                  style={{ transform: `translateY(${start}px)` }}
                  aria-setsize={sorted.length}
                  aria-posinset={index + 1}
                >
                  <UploadRow upload={upload} />
                </li>
              )
            );
          })}
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
