import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { LoginSessionRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { endSession } from '../../../api/session.ts';
import { findProgramName } from '../../../common/program-name.ts';
import { formatTime } from '../../../messages/formats.ts';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';

/** The sessions of the account, each with a button that ends it. */
export function LoginsSection() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: KEYS.logins(),
    queryFn: ({ signal }) => ask('GET /api/user/sessions', { signal }),
  });
  const end = useMutation({
    mutationFn: ({ id }: LoginSessionRecord) => ask('DELETE /api/user/sessions/{id}', { path: { id } }),
    onSuccess: (_, { current }) => {
      if (current) endSession();
      else notify(t('profile.loginEnded'));
    },
    onError: notifyError,
    onSettled: (_, fault, { current }) => {
      if (fault !== null || !current) void queries.invalidateQueries({ queryKey: KEYS.logins() });
    },
  });
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed" maw={560}>
        {t('profile.loginsHint')}
      </Text>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {data?.map((login) => (
          <LoginRow
            key={login.id}
            login={login}
            isPending={end.isPending && end.variables.id === login.id}
            onEnd={() => end.mutate(login)}
          />
        ))}
      </Stack>
    </Stack>
  );
}

interface LoginRowProps {
  readonly login: LoginSessionRecord;
  readonly isPending: boolean;
  readonly onEnd: () => void;
}

function LoginRow({ login, isPending, onEnd }: LoginRowProps) {
  const { t } = useTranslation();
  const { userAgent, address, current, createdAt, lastUsedAt } = login;
  const found = findProgramName(userAgent);
  const name =
    found === undefined
      ? t('profile.unknownProgram')
      : found.system === undefined
        ? found.program
        : t('profile.programOn', { program: found.program, system: found.system });
  return (
    <Group component="li" justify="space-between" wrap="nowrap" align="flex-start">
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {current && (
            <Badge variant="default" size="sm">
              {t('profile.thisDevice')}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {address === null
            ? t('profile.loginActive', { time: formatTime(lastUsedAt) })
            : t('profile.loginActiveFrom', { time: formatTime(lastUsedAt), address })}
        </Text>
        <Text size="sm" c="dimmed">
          {t('profile.loginStarted', { time: formatTime(createdAt) })}
        </Text>
      </Stack>
      <Button
        variant="default"
        mih="var(--tap-size)"
        style={{ flexShrink: 0 }}
        loading={isPending}
        aria-label={current ? t('nav.logOut') : t('profile.endLoginOf', { name })}
        onClick={onEnd}
      >
        {current ? t('nav.logOut') : t('profile.endLogin')}
      </Button>
    </Group>
  );
}
