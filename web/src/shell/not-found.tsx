import { Button, Center, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/use-session.ts';

export function NotFound() {
  const { t } = useTranslation();
  const isVisitor = useSession() === undefined;
  return (
    <Center component="main" mih="60vh">
      <Stack align="center">
        <Title order={1} size="h2">
          {t('common.notFound')}
        </Title>
        <Button component={Link} to="/" h={40}>
          {t(isVisitor ? 'shares.toFront' : 'common.backToFiles')}
        </Button>
      </Stack>
    </Center>
  );
}
