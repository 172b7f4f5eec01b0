import { Alert, Button, Group, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../api/ask.ts';
import { KEYS } from '../api/keys.ts';
import { useUser } from '../api/use-session.ts';

/** Asks the first administrator to replace the password that the first start of the service generated. */
export function GeneratedPasswordNotice() {
  const { t } = useTranslation();
  const { role } = useUser();
  const [isClosed, setClosed] = useState(false);
  const { data } = useQuery({
    ...queryOf(KEYS.generatedPassword(), 'GET /api/user/security'),
    // Only administrators can have the generated password, because the first account is one.
    enabled: role === 'ADMIN' && !isClosed,
    select: ({ generatedPassword }) => generatedPassword,
  });
  if (data !== true || isClosed) return null;
  return (
    <Alert
      color="yellow"
      mb="md"
      icon={<IconKey aria-hidden />}
      withCloseButton
      closeButtonLabel={t('common.close')}
      attributes={{ closeButton: { title: t('common.close') } }}
      onClose={() => setClosed(true)}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 280px">
          {t('app.generatedPassword')}
        </Text>
        <Button
          size="xs"
          mih="var(--tap-size)"
          renderRoot={(props) => (
            <Link {...props} to="/profile/{-$part}" params={{ part: 'security' }} hash="password" />
          )}
        >
          {t('app.choosePassword')}
        </Button>
      </Group>
    </Alert>
  );
}
