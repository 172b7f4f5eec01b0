import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UploadsView } from '../queue/upload-queue.ts';

/** What to say aloud: that uploads begin, and how they have ended. Nothing in between. */
export function useAnnouncement({ totals, isReading, isHeld }: UploadsView): string {
  const { t } = useTranslation();
  const [said, say] = useState('');
  const isActive = totals.moving > 0 || isReading;
  const wasActive = useRef(false);
  const { done, failed } = totals.count;
  useEffect(() => {
    if (isActive === wasActive.current) return;
    wasActive.current = isActive;
    if (isActive) say(t('uploads.began'));
    else {
      const ended = [
        done > 0 && t('uploads.done', { count: done }),
        failed > 0 && t('uploads.failed', { count: failed }),
      ];
      say(ended.filter((part) => part !== false).join(' '));
    }
  }, [t, isActive, done, failed]);
  useEffect(() => {
    if (isHeld) say(t('uploads.held'));
  }, [t, isHeld]);
  return said;
}
