import { Paper, Text } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './unreachable-notice.module.css';

/** Shows a notice while the service is unreachable. */
export function UnreachableNotice() {
  const { t } = useTranslation();
  const isUnreachable = useIsUnreachable();
  return (
    // Always rendered, so that screen readers announce a new message.
    <div role="status" className={classes.place}>
      {isUnreachable && (
        <Paper withBorder shadow="md" radius="xl" className={classes.notice}>
          <IconCloudOff size={18} aria-hidden />
          <Text size="sm">{t('nav.away')}</Text>
        </Paper>
      )}
    </div>
  );
}

let isUnreachable = false;
const listeners = new Set<() => void>();

/** Sets whether the service is unreachable. Renders the notice again if that has changed. */
export function setUnreachable(value: boolean): void {
  if (isUnreachable === value) return;
  isUnreachable = value;
  for (const listener of listeners) listener();
}

function useIsUnreachable(): boolean {
  return useSyncExternalStore(subscribe, () => isUnreachable);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
