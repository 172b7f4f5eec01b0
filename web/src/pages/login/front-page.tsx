import { Button, Center, Group, Image, Paper, Stack, Text, Title } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';
import { LanguageChoice } from '../../ui/language-choice.tsx';
import { FrontError } from './front-error.tsx';
import { useCountdown } from './use-countdown.ts';

interface FrontPageParts {
  readonly title: string;
  /** What the button says. */
  readonly action: string;
  readonly error: Error | null;
  /** When the error came; milliseconds since 1970. */
  readonly failedAt: number;
  readonly isPending: boolean;
  readonly isLogin?: boolean;
  readonly onSubmit: () => void;
  /** Below the form: the other way in. */
  readonly foot: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the forms before the login. */
export function FrontPage(parts: FrontPageParts) {
  const { t } = useTranslation();
  const { error, failedAt } = parts;
  const waitSeconds = error instanceof ApiError && error.status === 429 ? (error.retryAfter ?? 0) : 0;
  const left = useCountdown(failedAt + waitSeconds * 1_000);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (left === 0 && !parts.isPending) parts.onSubmit();
  };
  return (
    <Center mih="100%" px="md" py="xl" component="main">
      <Stack w="100%" maw={400} gap="lg">
        <Stack align="center" gap={4}>
          <Image src="/web/icon.svg" w={56} h={56} alt="" mb="xs" />
          <Title order={1} size="h2">
            {parts.title}
          </Title>
          <Text c="dimmed" size="sm" ta="center">
            {t('app.tagline')}
          </Text>
        </Stack>
        <Paper withBorder p="lg" shadow="sm" radius="lg">
          {/* What is wrong is said at the field, in the language of the page. */}
          <form onSubmit={submit} noValidate>
            <Stack>
              {error !== null && <FrontError error={error} isLogin={parts.isLogin ?? false} />}
              {parts.children}
              <Button type="submit" size="md" mt="xs" loading={parts.isPending} disabled={left > 0}>
                {left > 0 ? t('auth.actionIn', { action: parts.action, count: left }) : parts.action}
              </Button>
            </Stack>
          </form>
        </Paper>
        <Text size="sm" ta="center" component="div">
          {parts.foot}
        </Text>
        <Group justify="center">
          <LanguageChoice />
        </Group>
      </Stack>
    </Center>
  );
}
