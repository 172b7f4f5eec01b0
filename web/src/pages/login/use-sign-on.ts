import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LoginState } from '../../../../client/src/client.ts';
import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { addressOf } from '../../api/address-of.ts';
import { ask } from '../../api/ask.ts';
import { deviceHeaders } from '../../api/device.ts';
import { type SignOnFault, useSignOnReturn } from '../../features/account/sign-on-return.ts';
import { useAuthMethods } from '../../features/account/use-security.ts';

/**
 * The login with the single sign-on provider: the URL where it begins, and the exchange of the ticket when
 * the user comes back from the provider.
 */
export function useSignOn(enter: (state: LoginState) => Promise<void>, next: string | undefined) {
  const { data: methods } = useAuthMethods();
  const { ticket, fault } = useSignOnReturn();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (sent: string) =>
      ask('POST /api/auth/oidc/ticket', { body: { ticket: sent }, headers: deviceHeaders() }),
    onSuccess: enter,
  });
  const isSent = useRef(false);
  useEffect(() => {
    // A ticket works only once.
    if (ticket === undefined || isSent.current) return;
    isSent.current = true;
    mutate(ticket);
  }, [ticket, mutate]);
  return {
    /** The name of the provider; undefined if there is none. */
    name: methods?.singleSignOn?.name,
    url: addressOf('GET /api/auth/oidc/start', { query: { next } }),
    fault: error === null ? fault : toFault(error),
    isPending,
  };
}

function toFault(error: Error): SignOnFault {
  if (!(error instanceof HoldallError)) return 'unavailable';
  if (error.status === 403) return 'banned';
  if (error.status === 429) return 'too-many';
  return error.status === 401 ? 'expired' : 'failed';
}
