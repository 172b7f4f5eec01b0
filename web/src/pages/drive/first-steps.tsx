import { Group, Text, Title, UnstyledButton } from '@mantine/core';
import {
  IconArrowsExchange,
  IconPlugConnected,
  IconUpload,
  IconUserPlus,
  type TablerIcon,
} from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../api/use-session.ts';
import styles from './first-steps.module.css';

/** Suggests what to do first with a new drive. */
export function FirstSteps({ onUpload }: { readonly onUpload: () => void }) {
  const { t } = useTranslation();
  const titleId = useId();
  const { role } = useUser();
  const last = role === 'USER' ? 'give' : 'invite';
  const lastLink: LinkProps =
    last === 'give'
      ? { to: '/transfer/{-$code}', params: { code: undefined } }
      : { to: '/admin/{-$part}', params: { part: 'invites' } };
  return (
    <section aria-labelledby={titleId} className={styles.steps}>
      <Title order={2} size="h5" id={titleId}>
        {t('drive.first.title')}
      </Title>
      <div className={styles.cards}>
        <UnstyledButton className={styles.card} onClick={onUpload}>
          <Step name="add" Icon={IconUpload} />
        </UnstyledButton>
        <Link className={styles.card} to="/connect">
          <Step name="connect" Icon={IconPlugConnected} />
        </Link>
        <Link className={styles.card} {...lastLink}>
          <Step name={last} Icon={last === 'give' ? IconArrowsExchange : IconUserPlus} />
        </Link>
      </div>
    </section>
  );
}

interface StepProps {
  readonly name: 'add' | 'connect' | 'give' | 'invite';
  readonly Icon: TablerIcon;
}

function Step({ name, Icon }: StepProps) {
  const { t } = useTranslation();
  return (
    <Group gap="sm" wrap="nowrap">
      <Icon size={24} stroke={1.5} aria-hidden className={styles.icon} />
      <span>
        <Text size="sm" fw={600} component="span" display="block">
          {t(`drive.first.${name}`)}
        </Text>
        <Text size="xs" c="dimmed" component="span" display="block">
          {t(`drive.first.${name}Hint`)}
        </Text>
      </span>
    </Group>
  );
}
