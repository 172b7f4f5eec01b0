import { useTranslation } from 'react-i18next';
import classes from './list-placeholder.module.css';

const ROWS = [1, 2, 3, 4, 5, 6];

/** Placeholder rows for a list that is being loaded. They appear only if loading takes a moment. */
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
