import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LoginSessionRecord } from '../../../../../client/src/client.ts';
import { ask, queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { endSession } from '../../../api/session.ts';
import { findProgramName } from '../../../common/program-name.ts';
import { formatTime } from '../../../messages/formats.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { AccountList } from '../account-list.tsx';
import { Hint, Section } from '../section.tsx';

/** The sessions of the account, each with a button that ends it, and a button for all others. */
export function SessionsSection() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(queryOf(KEYS.logins(), 'GET /api/user/sessions'));
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
    <Section title={t('profile.logins')}>
      <Hint>{t('profile.loginsHint')}</Hint>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <AccountList
        items={data ?? []}
        rowOf={(login) => ({
          name: nameOf(login),
          badge: login.current ? t('profile.thisDevice') : undefined,
          facts: [
            login.address === null
              ? t('profile.loginActive', { time: formatTime(login.lastUsedAt) })
              : t('profile.loginActiveFrom', {
                  time: formatTime(login.lastUsedAt),
                  address: login.address,
                }),
            t('profile.loginStarted', { time: formatTime(login.createdAt) }),
          ],
          action: login.current ? t('nav.logOut') : t('profile.endLogin'),
          actionOf: login.current ? t('nav.logOut') : t('profile.endLoginOf', { name: nameOf(login) }),
          isPending: end.isPending && end.variables.id === login.id,
        })}
        onAct={end.mutate}
      />
      {data?.some(({ current }) => !current) === true && <EndOthersButton />}
    </Section>
  );

  function nameOf({ userAgent }: LoginSessionRecord): string {
    const found = findProgramName(userAgent);
    if (found === undefined) return t('profile.unknownProgram');
    const { program, system } = found;
    return system === undefined ? program : t('profile.programOn', { program, system });
  }
}

function EndOthersButton() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const end = useMutation({
    mutationFn: () => ask('DELETE /api/user/sessions'),
    onSuccess: () => notify(t('profile.othersEnded')),
    onError: notifyError,
    onSettled: () => {
      setAsking(false);
      void queries.invalidateQueries({ queryKey: KEYS.logins() });
    },
  });
  return (
    <>
      <Button
        variant="default"
        mih="var(--tap-size)"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setAsking(true)}
      >
        {t('profile.endOthers')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('profile.endOthers')}
          text={t('profile.endOthersText')}
          action={t('profile.endLogin')}
          isPending={end.isPending}
          onConfirm={() => end.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
