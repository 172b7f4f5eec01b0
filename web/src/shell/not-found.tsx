import { Button, Center, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

export function NotFound() {
  const { t } = useTranslation();
  return (
    <Center component="main" mih="60vh">
      <Stack align="center">
        <Title order={1} size="h2">
          {t('common.notFound')}
        </Title>
        <Button component={Link} to="/">
          {t('common.backToFiles')}
        </Button>
      </Stack>
    </Center>
  );
}
