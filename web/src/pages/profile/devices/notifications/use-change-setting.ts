import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { NotificationSettings } from '../../../../../../client/src/client.ts';
import { ask } from '../../../../api/ask.ts';
import { KEYS } from '../../../../api/keys.ts';
import type { NotificationKind } from '../../../../features/notifications/notification.ts';
import { notifyError } from '../../../../ui/notifications/notify.ts';

interface Change {
  readonly kind: NotificationKind;
  readonly app: boolean;
  readonly mail: boolean;
}

const KEY = KEYS.notificationSettings();

/**
 * Changes the settings of one kind, on the page at once. Changes are sent one after the other, so that the
 * last one counts. If one fails, the page shows what is saved.
 */
export function useChangeSetting(): (change: Change) => void {
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationKey: KEY,
    scope: { id: KEY.join() },
    mutationFn: ({ kind, app, mail }: Change) =>
      ask('PUT /api/user/notification-settings', { body: { [kind]: { app, mail } } }),
    onMutate: async ({ kind, app, mail }) => {
      // An earlier answer must not replace the change.
      await queries.cancelQueries({ queryKey: KEY });
      queries.setQueryData<NotificationSettings>(KEY, (settings) =>
        settings === undefined ? settings : { ...settings, [kind]: { ...settings[kind], app, mail } },
      );
    },
    onError: notifyError,
    onSettled: () => {
      // Otherwise the answer would hide the changes that still wait.
      if (queries.isMutating({ mutationKey: KEY }) === 1) void queries.invalidateQueries({ queryKey: KEY });
    },
  });
  return mutate;
}
