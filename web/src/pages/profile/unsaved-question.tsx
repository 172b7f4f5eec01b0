import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hasSession } from '../../api/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** Asks before the user leaves the page with input that is not saved. */
export function UnsavedQuestion({ isChanged }: { readonly isChanged: boolean }) {
  const { t } = useTranslation();
  const blocker = useBlocker({
    // After a logout, only the login page can be shown.
    shouldBlockFn: ({ current, next }) => isChanged && hasSession() && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged && hasSession(),
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={t('profile.leaveTitle')}
      text={t('profile.leaveText')}
      action={t('profile.leave')}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    />
  );
}
