import { Button, Image } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../api/use-session.ts';
import { LanguageChoice } from '../../../ui/fields/language-choice.tsx';
import outside from '../../../ui/outside/outside.module.css';
import { OutsideCard } from '../../../ui/outside/outside-card.tsx';
import { SkipLink } from '../../../ui/skip-link.tsx';
import styles from './public-frame.module.css';

const TRANSFER = { to: '/transfer/{-$code}', params: { code: undefined } } as const;

interface PublicFrameProps {
  /** A card, a card with room for content, or the whole page. */
  readonly layout?: 'card' | 'wide' | 'page';
  /** Whether the logo and the login lead to the transfer page. */
  readonly isTransfer?: boolean;
  readonly children: ReactNode;
}

/** The frame of public pages, designed for phones first. */
export function PublicFrame({ layout = 'card', isTransfer = false, children }: PublicFrameProps) {
  const { t } = useTranslation();
  const session = useSession();
  const { href } = useLocation();
  // The address of a transfer may contain its secret, which the server must not see.
  const next = isTransfer ? '/transfer' : href;
  const isWhole = layout === 'page';
  return (
    <div className={isWhole ? styles.page : outside.canvas}>
      <header className={styles.top}>
        {isWhole && <SkipLink />}
        <Link {...(isTransfer ? TRANSFER : { to: '/' })} className={styles.brand}>
          <Image src="/web/icon.svg" w={28} h={28} alt="" />
          {t('app.name')}
        </Link>
        {session === undefined ? (
          <Button
            variant="subtle"
            mih="var(--tap-size)"
            renderRoot={(props) => <Link {...props} to="/login" search={{ next }} />}
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
      <main id="content" tabIndex={-1} className={isWhole ? styles.whole : outside.middle}>
        {isWhole ? children : <OutsideCard isWide={layout === 'wide'}>{children}</OutsideCard>}
      </main>
      {isWhole && (
        <footer className={styles.foot}>
          <LanguageChoice />
        </footer>
      )}
    </div>
  );
}
