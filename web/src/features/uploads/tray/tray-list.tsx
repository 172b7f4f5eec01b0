import { Button, Group } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { FixedRows } from '../../../ui/fixed-rows.tsx';
import { isEnded, needsUser, type Totals, type Upload } from '../upload.ts';
import { uploads as queue } from '../uploads.ts';
import { UploadRow } from './upload-row.tsx';
import classes from './upload-tray.module.css';

const ROW_PX = 64;
const ROWS_IN_SIGHT = 6;

/** Lists all uploads: first those that need the user, then the active ones, then the ended ones. */
export function TrayList({
  uploads,
  totals,
}: {
  readonly uploads: readonly Upload[];
  readonly totals: Totals;
}) {
  const { t } = useTranslation();
  const sorted = useMemo(() => sortForTray(uploads), [uploads]);
  const { failed } = totals.count;
  return (
    <>
      <FixedRows
        items={sorted}
        keyOf={({ id }) => id}
        rowPx={ROW_PX}
        rowsInSight={ROWS_IN_SIGHT}
        className={classes.list}
        rowClassName={classes.row}
      >
        {(upload) => <UploadRow upload={upload} />}
      </FixedRows>
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
  for (const upload of uploads) (needsUser(upload) ? asking : isEnded(upload) ? ended : going).push(upload);
  return [...asking, ...going, ...ended];
}
