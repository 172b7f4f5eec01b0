import { Button, Center, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/use-session.ts';
import page from '../ui/page/page.module.css';

export function NotFound() {
  const { t } = useTranslation();
  const isVisitor = useSession() === undefined;
  return (
    <Center component="main" mih="60vh">
      <Stack align="center">
        <h1 className={page.title}>{t('common.notFound')}</h1>
        <Button component={Link} to="/" h={40}>
          {t(isVisitor ? 'shares.toFront' : 'common.backToFiles')}
        </Button>
      </Stack>
    </Center>
  );
}
