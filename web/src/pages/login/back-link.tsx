import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/use-session.ts';

/** Below pages that do not require a login: the link to the login, or to the files of a logged-in user. */
export function BackLink() {
  const { t } = useTranslation();
  const isLoggedIn = useSession() !== undefined;
  return (
    <Anchor
      renderRoot={(props) =>
        isLoggedIn ? <Link {...props} to="/" /> : <Link {...props} to="/login" search={{}} />
      }
      size="sm"
      underline="always"
    >
      {t(isLoggedIn ? 'common.backToFiles' : 'mail.toLogin')}
    </Anchor>
  );
}
