import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { showMarks } from '../../../client/src/common/direction-marks.ts';
import { useInstance } from '../api/use-instance.ts';
import { useDrive } from '../features/drives/use-drive.ts';
import { placeKeyOf, placeOf } from './place-of.ts';

/** Sets the title of the page in the browser's tab and history. */
export function usePageTitle(): void {
  const { t } = useTranslation();
  const { name: ownName } = useInstance();
  const pathname = useLocation({ select: (location) => location.pathname });
  const where = placeOf(pathname);
  const { id, name: driveName } = useDrive();
  // The place “My files” of a shared drive is the drive itself.
  const isDriveItself = id !== undefined && 'place' in where && where.place === 'drive';
  const place = 'name' in where ? where.name : t(placeKeyOf(where.place));
  const names = [isDriveItself ? undefined : place, driveName].filter((name) => name !== undefined);
  const title = [...names.map(showMarks), ownName].join(' – ');
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(
    () => () => {
      document.title = ownName;
    },
    [ownName],
  );
}
