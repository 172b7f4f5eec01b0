import { Alert, Anchor, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { useSecurity } from '../../../features/account/use-security.ts';
import { hostOf } from './identities-section.tsx';

/**
 * Lists the passkeys and identities that still work after a password change, because someone else may have
 * added them. Renders nothing if there are none.
 */
export function RemainingLoginMethods() {
  const { t } = useTranslation();
  const { data: security } = useSecurity();
  const { data: passkeys } = useQuery(queryOf(KEYS.passkeys(), 'GET /api/user/passkeys'));
  const names = [
    ...(passkeys ?? []).map(({ id, name }) => ({
      key: `passkey ${id}`,
      text: t('security.passkeyNamed', { name }),
    })),
    ...(security?.identities ?? []).map((identity) => ({
      key: `identity ${identity.id}`,
      text: t('security.identityNamed', { name: hostOf(identity) }),
    })),
  ];
  if (names.length === 0) return null;
  return (
    <Alert color="yellow" role="status">
      <Text size="sm">{t('security.stillValid')}</Text>
      <List size="sm" my="xs">
        {names.map(({ key, text }) => (
          <List.Item key={key} style={{ overflowWrap: 'anywhere' }}>
            {text}
          </List.Item>
        ))}
      </List>
      <Anchor href="#security" size="sm" c="inherit" underline="always">
        {t('security.toSecurity')}
      </Anchor>
    </Alert>
  );
}
