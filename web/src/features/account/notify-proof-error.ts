import { useTranslation } from 'react-i18next';
import { notifyError, notifyText } from '../../ui/notifications/notify.ts';
import { LoginTooOld, ProofCancelled } from './owner-proof.tsx';

/** Shows why an action that needs the owner's proof failed. Shows nothing if the user has cancelled it. */
export function useNotifyProofError(): (error: Error) => void {
  const { t } = useTranslation();
  return (error) => {
    if (error instanceof ProofCancelled) return;
    if (error instanceof LoginTooOld) notifyText(t('security.loginTooOld'));
    else notifyError(error);
  };
}
