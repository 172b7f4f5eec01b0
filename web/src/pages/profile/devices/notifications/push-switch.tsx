import { Alert, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { KEYS } from '../../../../api/keys.ts';
import {
  isPushBlocked,
  isPushOn,
  isPushPossible,
  turnOffPush,
  turnOnPush,
} from '../../../../features/notifications/push.ts';
import { notifyError } from '../../../../ui/notifications/notify.ts';

/** Whether this device shows notifications while no page is open. Nothing where that is impossible. */
export function PushSwitch() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data } = useQuery({ queryKey: KEYS.push(), queryFn: findPush });
  const change = useMutation({
    mutationFn: async (wish: boolean) => {
      if (wish) await turnOnPush();
      else await turnOffPush();
    },
    onError: notifyError,
    onSettled: () => queries.invalidateQueries({ queryKey: KEYS.push() }),
  });
  if (data === undefined || data === 'impossible') return null;
  return (
    <>
      <Switch
        label={t('notifications.push')}
        description={t('notifications.pushHint')}
        // Shows the wish while it is being fulfilled.
        checked={change.isPending ? change.variables : data === 'on'}
        // Not disabled meanwhile, because it would lose the focus.
        onChange={(event) => {
          if (!change.isPending) change.mutate(event.currentTarget.checked);
        }}
      />
      {data === 'blocked' && (
        <Alert color="yellow" role="status">
          {t('notifications.pushBlocked')}
        </Alert>
      )}
    </>
  );
}

async function findPush(): Promise<'on' | 'off' | 'blocked' | 'impossible'> {
  if (!(await isPushPossible())) return 'impossible';
  if (isPushBlocked()) return 'blocked';
  return (await isPushOn()) ? 'on' : 'off';
}
