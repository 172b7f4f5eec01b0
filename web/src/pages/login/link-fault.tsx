import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

interface LinkFaultProps {
  readonly text: string;
  /** The page with another link. */
  readonly to: '/forgot-password' | '/profile/{-$part}';
  /** The label of the link to that page. */
  readonly action: string;
  /** Whether the user may want to log in instead. */
  readonly hasLogin?: boolean;
}

/** Says why a mailed link does not work, and leads to the page where people request another one. */
export function LinkFault({ text, to, action, hasLogin = false }: LinkFaultProps) {
  const { t } = useTranslation();
  return (
    <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
      <Stack gap="sm" align="flex-start">
        {text}
        <Group gap="sm">
          {hasLogin && (
            <Button
              variant="default"
              mih="var(--tap-size)"
              renderRoot={(props) => <Link {...props} to="/login" search={{}} />}
            >
              {t('auth.logIn')}
            </Button>
          )}
          <Button variant="default" mih="var(--tap-size)" renderRoot={(props) => <Link {...props} to={to} />}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
