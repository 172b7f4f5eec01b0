import { Button, Image, Paper } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../api/use-session.ts';
import { LanguageChoice } from '../../../ui/fields/language-choice.tsx';
import styles from './public-frame.module.css';

interface PublicFrameProps {
  /** A card, a card with room for content, or the whole page. */
  readonly layout?: 'card' | 'wide' | 'page';
  readonly children: ReactNode;
}

/** The frame of public pages, designed for phones first. */
export function PublicFrame({ layout = 'card', children }: PublicFrameProps) {
  const { t } = useTranslation();
  const session = useSession();
  const { href } = useLocation();
  return (
    <div className={styles.page} data-whole={layout === 'page' || undefined}>
      <header className={styles.top}>
        <Link to="/" className={styles.brand}>
          <Image src="/web/icon.svg" w={28} h={28} alt="" />
          {t('app.name')}
        </Link>
        {session === undefined ? (
          <Button
            variant="subtle"
            mih="var(--tap-size)"
            renderRoot={(props) => <Link {...props} to="/login" search={{ next: href }} />}
          >
            {t('auth.logIn')}
          </Button>
        ) : (
          <Button
            variant="subtle"
            mih="var(--tap-size)"
            renderRoot={(props) => <Link {...props} to="/drive/$" params={{ _splat: '' }} />}
          >
            {t('nav.drive')}
          </Button>
        )}
      </header>
      <main className={styles.middle}>
        {layout === 'page' ? (
          children
        ) : (
          <Paper
            withBorder
            shadow="md"
            radius="lg"
            p={{ base: 'md', xs: 'xl' }}
            className={styles.card}
            data-wide={layout === 'wide' || undefined}
          >
            {children}
          </Paper>
        )}
      </main>
      <footer className={styles.foot}>
        <span />
        <LanguageChoice />
      </footer>
    </div>
  );
}
