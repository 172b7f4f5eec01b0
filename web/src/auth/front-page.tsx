import { Alert, Center, Image, Paper, Stack, Text, Title } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LanguageChoice } from '../shell/language-choice.tsx';

/** The frame of the forms before the login. */
export function FrontPage(parts: {
  title: string;
  error: Error | null;
  onSubmit: (event: FormEvent) => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Center mih="100%" p="md" component="main">
      <Stack w="100%" maw={400}>
        <Stack align="center" gap={4}>
          <Image src="/web/icon.svg" w={56} h={56} alt="" />
          <Title order={1} size="h2">
            {parts.title}
          </Title>
          <Text c="dimmed" size="sm">
            {t('app.tagline')}
          </Text>
        </Stack>
        <Paper withBorder p="lg">
          <form onSubmit={parts.onSubmit}>
            <Stack>
              {parts.error !== null && (
                <Alert color="red" role="alert">
                  {parts.error.message}
                </Alert>
              )}
              {parts.children}
            </Stack>
          </form>
        </Paper>
        <LanguageChoice />
      </Stack>
    </Center>
  );
}
