import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { notifyError, notifyText } from '../../ui/notifications/notify.ts';
import { OwnerDialog } from './owner-dialog.tsx';
import { useSecurity } from './use-security.ts';

/** A call that adds a way to log in. It takes the proof that the user is the owner. */
type Call<T> = (proof: { password?: string }) => Promise<T>;

interface PendingCall {
  readonly call: Call<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Thrown if the user closes the dialog that asks for the password. */
export class ProofCancelled extends Error {}

/** Thrown if the login is too old and the account has no password, so the user must log in again. */
export class LoginTooOld extends Error {}

/**
 * For calls that need a recent login or the password. Asks for the password only if the service rejects the
 * call without it. The page must render `dialog`.
 */
export function useOwnerProof(): {
  /** @throws ProofCancelled; LoginTooOld; HoldallError */
  readonly runWithProof: <T>(call: Call<T>) => Promise<T>;
  readonly dialog: ReactNode;
} {
  const { t } = useTranslation();
  const { data: security } = useSecurity();
  const [pending, setPending] = useState<PendingCall>();
  const runWithProof = async <T,>(call: Call<T>): Promise<T> => {
    try {
      return await call({});
    } catch (error) {
      if (!isTooOld(error)) throw error;
      if (security?.hasPassword === false) throw new LoginTooOld();
      return new Promise<T>((resolve, reject) => {
        // `resolve` only ever gets the result of this call.
        setPending({ call, resolve: (result) => resolve(result as T), reject });
      });
    }
  };
  const close = () => setPending(undefined);
  const dialog = pending !== undefined && (
    <OwnerDialog
      title={t('security.confirmTitle')}
      text={t('security.confirmText')}
      action={t('security.continue')}
      hasPassword
      perform={pending.call}
      onDone={(result) => {
        close();
        pending.resolve(result);
      }}
      onClose={() => {
        close();
        pending.reject(new ProofCancelled());
      }}
    />
  );
  return { runWithProof, dialog };
}

function isTooOld(error: unknown): boolean {
  return error instanceof HoldallError && error.status === 403 && error.required === undefined;
}

/** Shows why an action that needs the owner's proof failed. Shows nothing if the user has cancelled it. */
export function useNotifyProofError(): (error: Error) => void {
  const { t } = useTranslation();
  return (error) => {
    if (error instanceof ProofCancelled) return;
    if (error instanceof LoginTooOld) notifyText(t('security.loginTooOld'));
    else notifyError(error);
  };
}
