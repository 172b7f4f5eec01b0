import { Button, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconClockOff, IconLinkOff, IconShoppingBagX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from './public-frame.module.css';

/** The reasons why a share cannot be used (any more). */
type Ending = 'gone' | 'expired' | 'exhausted';

const ICONS = { gone: IconLinkOff, expired: IconClockOff, exhausted: IconShoppingBagX };

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
  const Picture = ICONS[ending];
  return (
    <Stack align="center" gap="sm">
      <ThemeIcon variant="light" color="gray" size={80} radius="xl" aria-hidden>
        <Picture size={40} stroke={1.5} />
      </ThemeIcon>
      <Title order={1} size="h3" ta="center" mt="xs">
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
