import { Button, Image, Paper } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../api/use-session.ts';
import { LanguageChoice } from '../../../ui/language-choice.tsx';
import styles from './public-frame.module.css';

interface PublicFrameProps {
  /** Whether the card has room for content. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** The frame of public pages: one card, designed for phones first. */
export function PublicFrame({ isWide = false, children }: PublicFrameProps) {
  const { t } = useTranslation();
  const session = useSession();
  const { href } = useLocation();
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Link to="/" className={styles.brand}>
          <Image src="/web/icon.svg" w={28} h={28} alt="" />
          {t('app.name')}
        </Link>
        {session === undefined ? (
          <Button
            variant="subtle"
            mih={40}
            renderRoot={(props) => <Link {...props} to="/login" search={{ next: href }} />}
          >
            {t('auth.logIn')}
          </Button>
        ) : (
          <Button
            variant="subtle"
            mih={40}
            renderRoot={(props) => <Link {...props} to="/drive/$" params={{ _splat: '' }} />}
          >
            {t('nav.drive')}
          </Button>
        )}
      </header>
      <main className={styles.middle}>
        <Paper
          withBorder
          shadow="md"
          radius="lg"
          p="xl"
          className={styles.card}
          data-wide={isWide || undefined}
        >
          {children}
        </Paper>
      </main>
      <footer className={styles.foot}>
        <span />
        <LanguageChoice />
      </footer>
    </div>
  );
}
