import { Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useInstance } from '../../../api/use-instance.ts';
import { useSession } from '../../../api/use-session.ts';
import { LanguageChoice } from '../../../ui/fields/language-choice.tsx';
import { InstanceLogo } from '../../../ui/instance-logo.tsx';
import { Greeting } from '../../../ui/outside/greeting.tsx';
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
  const instance = useInstance();
  const { href } = useLocation();
  // The address of a transfer may contain its secret, which the server must not see.
  const next = isTransfer ? '/transfer' : href;
  const isWhole = layout === 'page';
  return (
    <div className={isWhole ? styles.page : outside.canvas}>
      <header className={styles.top}>
        {isWhole && <SkipLink />}
        <Link {...(isTransfer ? TRANSFER : { to: '/' })} className={styles.brand}>
          <InstanceLogo size={28} />
          <span className={styles.instance}>{instance.name}</span>
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
        {!isWhole && <Greeting />}
      </main>
      {isWhole && (
        <footer className={styles.foot}>
          <Greeting />
          <LanguageChoice />
        </footer>
      )}
    </div>
  );
}
