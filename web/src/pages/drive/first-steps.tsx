import { Group, Text, Title, UnstyledButton, VisuallyHidden } from '@mantine/core';
import {
  IconCircleCheck,
  IconPlugConnected,
  IconShare,
  IconShieldLock,
  IconUpload,
  IconUserPlus,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { FirstSteps as DoneSteps } from '../../../../client/src/client.ts';
import { ask, queryOf } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { updateUser } from '../../api/session.ts';
import { useUser } from '../../api/use-session.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { notifyError } from '../../ui/notifications/notify.ts';
import styles from './first-steps.module.css';

type StepName = keyof DoneSteps;

const ICONS: Readonly<Record<StepName, TablerIcon>> = {
  file: IconUpload,
  link: IconShare,
  device: IconPlugConnected,
  protection: IconShieldLock,
  people: IconUserPlus,
};

/** Where the steps are done. Files are added on this page. */
const LINKS: Readonly<Record<Exclude<StepName, 'file'>, LinkProps>> = {
  link: { to: '/shared' },
  device: { to: '/connect' },
  protection: { to: '/profile/{-$part}', params: { part: 'security' }, hash: 'security' },
  people: { to: '/admin/{-$part}', params: { part: 'invites' } },
};

const hide = () => ask('PUT /api/user/profile', { body: { firstStepsHidden: true } });

/** Suggests what to do with a new account. It stays until everything is done, or the user hides it. */
export function FirstSteps({ onUpload }: { readonly onUpload: () => void }) {
  const { t } = useTranslation();
  const titleId = useId();
  const { role, storageUsedBytes, firstStepsHidden } = useUser();
  const { data } = useQuery({
    ...queryOf(KEYS.firstSteps(), 'GET /api/user/first-steps'),
    enabled: !firstStepsHidden,
  });
  const names: readonly StepName[] = [
    ...(['file', 'link', 'device', 'protection'] as const),
    ...(role === 'USER' ? [] : (['people'] as const)),
  ];
  const isDone = (name: StepName) => data?.[name] === true || (name === 'file' && storageUsedBytes > 0);
  const count = names.filter(isDone).length;
  const isComplete = count === names.length;
  const { isHidden, hiding } = useHiding(isComplete);
  // The user is known before the list of files loads, so nothing moves down.
  if (isHidden) return null;
  return (
    <section aria-labelledby={titleId} className={styles.steps}>
      <Group gap="sm" wrap="nowrap">
        <Title order={2} size="md" id={titleId}>
          {t(isComplete ? 'drive.first.complete' : 'drive.first.title')}
        </Title>
        <Text size="sm" c="dimmed" flex={1}>
          {data !== undefined && t('drive.first.count', { done: count, all: names.length })}
        </Text>
        <IconButton
          label={t('drive.first.hide')}
          variant="subtle"
          color="gray"
          size="var(--tap-size)"
          loading={hiding.isPending}
          onClick={() => hiding.mutate()}
        >
          <IconX size={18} aria-hidden />
        </IconButton>
      </Group>
      <ul className={styles.cards}>
        {names.map((name) => (
          <li key={name}>
            {name === 'file' ? (
              <UnstyledButton className={styles.card} onClick={onUpload}>
                <Step name={name} isDone={isDone(name)} />
              </UnstyledButton>
            ) : (
              <Link className={styles.card} {...LINKS[name]}>
                <Step name={name} isDone={isDone(name)} />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Hides the list when the user says so. If it is complete, it stays for this visit, so that nothing moves. */
function useHiding(isComplete: boolean) {
  const { firstStepsHidden } = useUser();
  const { mutate: complete, isIdle } = useMutation({ mutationFn: hide });
  useEffect(() => {
    if (isComplete && !firstStepsHidden) complete();
  }, [isComplete, firstStepsHidden, complete]);
  const hiding = useMutation({
    mutationFn: hide,
    onSuccess: (user) => {
      updateUser(user);
      // The button is gone.
      document.getElementById('content')?.focus();
    },
    onError: notifyError,
  });
  return { isHidden: hiding.isSuccess || (firstStepsHidden && isIdle), hiding };
}

function Step({ name, isDone }: { readonly name: StepName; readonly isDone: boolean }) {
  const { t } = useTranslation();
  const Icon = isDone ? IconCircleCheck : ICONS[name];
  return (
    <span className={styles.step} data-done={isDone || undefined}>
      <Icon size={20} aria-hidden className={styles.icon} />
      <span>
        <span className={styles.name}>{t(`drive.first.${name}`)}</span>
        {isDone && <VisuallyHidden> {t('drive.first.done')}</VisuallyHidden>}
        <span className={styles.hint}>{t(`drive.first.${name}Hint`)}</span>
      </span>
    </span>
  );
}
