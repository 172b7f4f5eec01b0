import { useTranslation } from 'react-i18next';
import classes from './list-placeholder.module.css';

const ROWS = [1, 2, 3, 4, 5, 6];

/** Stands for the rows of a list while they are being loaded. It appears only if that takes a moment. */
export function ListPlaceholder() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t('common.loading')} className={classes.list}>
      {ROWS.map((row) => (
        <div key={row} className={classes.row} />
      ))}
    </div>
  );
}
