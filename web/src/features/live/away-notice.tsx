import { Paper, Text } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './away-notice.module.css';
import { useIsAway } from './reach.ts';

/** Says that the service is out of reach, as long as it is. */
export function AwayNotice() {
  const { t } = useTranslation();
  const isAway = useIsAway();
  return (
    // There before it has something to say, so that it is read out.
    <div role="status" className={classes.place}>
      {isAway && (
        <Paper withBorder shadow="md" radius="xl" className={classes.notice}>
          <IconCloudOff size={18} aria-hidden />
          <Text size="sm">{t('nav.away')}</Text>
        </Paper>
      )}
    </div>
  );
}
