import { Button, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Drawing } from '../../../ui/placeholders/empty-notice.tsx';
import styles from './public-frame.module.css';

/** The reasons why a share cannot be used (any more). */
type Ending = 'gone' | 'expired' | 'exhausted';

const DRAWINGS = { gone: 'links', expired: 'clock', exhausted: 'bag' } as const;

/** Shown instead of the shared file. */
export function PublicNotice({
  ending,
  name,
  owner,
}: {
  readonly ending: Ending;
  /** The name and owner of the share, as long as the service still returns them. */
  readonly name?: string;
  readonly owner?: string;
}) {
  const { t } = useTranslation();
  return (
    <Stack align="center" gap="sm">
      <Drawing name={DRAWINGS[ending]} />
      <Title order={1} ta="center">
        {t(`shares.${ending}Title`)}
      </Title>
      {name !== undefined && (
        <Text ta="center" fw={600} className={styles.name}>
          {name}
        </Text>
      )}
      <Text ta="center" c="dimmed">
        {owner === undefined ? t('shares.goneText') : t('shares.askOwner', { owner })}
      </Text>
      <Button
        variant="default"
        mih="var(--tap-size)"
        mt="sm"
        renderRoot={(props) => <Link {...props} to="/" />}
      >
        {t('shares.toFront')}
      </Button>
    </Stack>
  );
}
