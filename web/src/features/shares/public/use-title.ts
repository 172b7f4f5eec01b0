import { useEffect } from 'react';
import { showMarks } from '../../../../../client/src/common/direction-marks.ts';

/** Sets the title of the tab while the page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = showMarks(title);
    return () => {
      document.title = before;
    };
  }, [title]);
}
