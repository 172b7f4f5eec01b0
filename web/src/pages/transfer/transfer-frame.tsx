import { Button, Container, Group, Image, Text } from '@mantine/core';
import { Link, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/use-session.ts';
import classes from '../../features/transfer/transfer.module.css';
import { Shell } from '../../shell/shell.tsx';
import { usePageTitle } from '../../shell/use-page-title.ts';
import { LanguageChoice } from '../../ui/fields/language-choice.tsx';
import { SkipLink } from '../../ui/skip-link.tsx';

/** The frame of the transfer page: the drive's for logged-in users, a minimal one for others. */
export function TransferFrame() {
  return useSession() === undefined ? <PublicFrame /> : <Shell />;
}

function PublicFrame() {
  const { t } = useTranslation();
  usePageTitle();
  return (
    <>
      <header className={classes.header}>
        <SkipLink />
        <Link
          to="/transfer/{-$code}"
          params={{ code: undefined }}
          className={classes.home}
          aria-label={t('app.name')}
        >
          <Image src="/web/icon.svg" w={28} h={28} alt="" />
          <Text fw={700} component="span">
            {t('app.name')}
          </Text>
        </Link>
        <Group gap="xs" wrap="nowrap">
          <LanguageChoice />
          <Button
            renderRoot={(props) => <Link to="/login" search={{ next: '/transfer' }} {...props} />}
            variant="default"
            h={40}
          >
            {t('auth.logIn')}
          </Button>
        </Group>
      </header>
      <Container component="main" id="content" tabIndex={-1} size="lg" className={classes.main}>
        <Outlet />
      </Container>
    </>
  );
}
