import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { showMarks } from '../../../client/src/common/direction-marks.ts';
import { placeOf } from './place-of.ts';

/** Sets the title of the page in the browser's tab and history. */
export function usePageTitle(): void {
  const { t } = useTranslation();
  const pathname = useLocation({ select: (location) => location.pathname });
  const where = placeOf(pathname);
  const name = 'name' in where ? where.name : t(`nav.${where.place}`);
  const title = `${showMarks(name)} – ${t('app.name')}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  const ownName = t('app.name');
  useEffect(
    () => () => {
      document.title = ownName;
    },
    [ownName],
  );
}
