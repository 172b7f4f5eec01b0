import { useEffect } from 'react';
import { showMarks } from '../../../../../client/src/common/direction-marks.ts';
import { useInstance } from '../../../api/use-instance.ts';

/** Sets the title of the tab while the page is shown. @param what undefined for the instance only */
export function useTitle(what: string | undefined): void {
  const { name } = useInstance();
  const title = what === undefined ? name : `${what} · ${name}`;
  useEffect(() => {
    const before = document.title;
    document.title = showMarks(title);
    return () => {
      document.title = before;
    };
  }, [title]);
}
