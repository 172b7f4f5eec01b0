import { Alert, Box, Button, Stack, Text, Title } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { useInstance } from '../../api/use-instance.ts';
import { messageOf } from '../../common/message-of.ts';
import { formatSpan } from '../../messages/from-now.ts';
import { SavedForm } from '../../ui/fields/saved-form.tsx';
import { InstanceLogo } from '../../ui/instance-logo.tsx';
import { Greeting } from '../../ui/outside/greeting.tsx';
import styles from '../../ui/outside/outside.module.css';
import { OutsideCard } from '../../ui/outside/outside-card.tsx';

interface FrontPageParts {
  readonly title: string;
  /** The label of the button. */
  readonly action: string;
  /** Shown until there is an error. */
  readonly notice?: string | undefined;
  readonly error: Error | null;
  /** When the error occurred; milliseconds since 1970. */
  readonly failedAt: number;
  readonly isPending: boolean;
  readonly isLogin?: boolean;
  readonly onSubmit: () => void;
  /** Other ways to log in, shown below the button. */
  readonly otherWays?: ReactNode;
  /** A link to the other form, shown below this one. */
  readonly foot: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the forms for login and registration. */
export function FrontPage(parts: FrontPageParts) {
  const { t } = useTranslation();
  const { error, failedAt, notice } = parts;
  const waitSeconds =
    error instanceof HoldallError && error.status === 429 ? (error.retryAfterSeconds ?? 0) : 0;
  const left = useCountdown(failedAt + waitSeconds * 1_000);
  const submit = () => {
    if (left === 0 && !parts.isPending) parts.onSubmit();
  };
  return (
    <FrontFrame title={parts.title} foot={parts.foot}>
      {/* `noValidate`, because faults are shown at their fields in the language of the page. */}
      <SavedForm isSaving={parts.isPending} onSubmit={submit} noValidate>
        <Stack>
          {error === null && notice !== undefined && <Alert role="status">{notice}</Alert>}
          {error !== null && <FrontError error={error} isLogin={parts.isLogin ?? false} />}
          {parts.children}
          <Button type="submit" size="md" mt="xs" loading={parts.isPending} disabled={left > 0}>
            {left > 0 ? t('auth.actionIn', { action: parts.action, count: left }) : parts.action}
          </Button>
          {parts.otherWays}
        </Stack>
      </SavedForm>
    </FrontFrame>
  );
}

/** The frame of the pages outside the drive. */
export function FrontFrame({
  title,
  foot,
  children,
}: {
  readonly title: string;
  readonly foot: ReactNode;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  const { greeting } = useInstance();
  return (
    <div className={styles.canvas}>
      <main className={styles.middle}>
        <OutsideCard>
          <Stack gap="lg">
            <Stack align="center" gap={4}>
              <Box mb="xs">
                <InstanceLogo size={48} />
              </Box>
              <Title order={1} ta="center">
                {title}
              </Title>
              {greeting === null ? (
                <Text c="dimmed" size="sm" ta="center">
                  {t('app.tagline')}
                </Text>
              ) : (
                <Greeting />
              )}
            </Stack>
            {children}
            <Text size="sm" ta="center" component="div">
              {foot}
            </Text>
          </Stack>
        </OutsideCard>
      </main>
    </div>
  );
}

/** Why the login or registration failed. */
function FrontError({ error, isLogin = false }: { error: Error; isLogin?: boolean }) {
  const { t } = useTranslation();
  return (
    <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
      {text()}
    </Alert>
  );

  function text(): string {
    if (!(error instanceof HoldallError)) return messageOf(error);
    const { status, retryAfterSeconds } = error;
    if (status === 429 && retryAfterSeconds !== undefined) {
      return t('auth.tooMany', { when: formatSpan(retryAfterSeconds) });
    }
    // At a login, this status has a fixed meaning, so the message can be translated.
    if (isLogin && status === 403) return t('auth.banned');
    return messageOf(error);
  }
}

const SECOND = 1_000;

/** Counts down the whole seconds until a time. @param until milliseconds since 1970 */
function useCountdown(until: number): number {
  const [left, setLeft] = useState(() => secondsUntil(until));
  useEffect(() => {
    setLeft(secondsUntil(until));
    if (secondsUntil(until) === 0) return;
    const timer = setInterval(() => {
      const seconds = secondsUntil(until);
      setLeft(seconds);
      if (seconds === 0) clearInterval(timer);
    }, SECOND);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}

function secondsUntil(until: number): number {
  return Math.max(0, Math.ceil((until - Date.now()) / SECOND));
}
