import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useDriveId } from '../../features/drives/use-drive.ts';
import {
  COLUMNS,
  toggleColumn,
  useDisplaySettings,
} from '../../features/entries/grid/state/display-settings.ts';

/** Menu items for the columns of the list. Only records of shared drives say who changed them. */
export function ColumnItems() {
  const { t } = useTranslation();
  const { columns } = useDisplaySettings();
  const isShared = useDriveId() !== undefined;
  return (
    <>
      <Menu.Label>{t('drive.columns')}</Menu.Label>
      {COLUMNS.filter((column) => isShared || column !== 'changedBy').map((column) => (
        <Menu.CheckboxItem
          key={column}
          checked={columns.includes(column)}
          onClick={() => toggleColumn(column)}
        >
          {t(`drive.${column}`)}
        </Menu.CheckboxItem>
      ))}
    </>
  );
}
