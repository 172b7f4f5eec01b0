import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { LoginState } from '../../../../client/src/client.ts';
import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { ask } from '../../api/ask.ts';
import { deviceHeaders } from '../../api/device.ts';
import {
  askForPasskey,
  canSuggestPasskeys,
  canUsePasskeys,
} from '../../features/account/second-factors/passkeys.ts';
import { useAuthMethods } from '../../features/account/use-security.ts';

/** When to renew the challenge. It is valid for five minutes, but a page may stay open for longer. */
const RENEWAL_MS = 240_000;

/**
 * The login with a passkey. It starts on demand. Browsers that support it also suggest passkeys in the
 * username field as long as the page is open.
 */
export function usePasskey(enter: (state: LoginState) => Promise<void>) {
  const { data: methods } = useAuthMethods();
  const isOffered = methods?.passkeys === true && canUsePasskeys();
  const suggestion = useRef<AbortController>(undefined);
  const [suggestionFault, setSuggestionFault] = useState<Error>();
  // Browsers run only one passkey request at a time, so the suggestion is stopped first.
  const logIn = useMutation({
    mutationFn: async () => {
      suggestion.current?.abort();
      setSuggestionFault(undefined);
      return logInWithPasskey(false, new AbortController().signal);
    },
    onSuccess: enter,
  });
  const latestEnter = useRef(enter);
  latestEnter.current = enter;
  const { isPending } = logIn;
  useEffect(() => {
    if (!isOffered || isPending) return;
    let timer: ReturnType<typeof setInterval> | undefined;
    const suggest = () => {
      suggestion.current?.abort();
      const controller = new AbortController();
      suggestion.current = controller;
      logInWithPasskey(true, controller.signal)
        .then((state) => latestEnter.current(state))
        .catch((error: unknown) => {
          // Errors of the browser itself are not shown, because the user has not asked for a passkey.
          if (error instanceof HoldallError && !controller.signal.aborted) setSuggestionFault(error);
        });
    };
    let isOver = false;
    void canSuggestPasskeys().then((can) => {
      if (!can || isOver) return;
      suggest();
      timer = setInterval(suggest, RENEWAL_MS);
    });
    return () => {
      isOver = true;
      clearInterval(timer);
      suggestion.current?.abort();
    };
  }, [isOffered, isPending]);
  return { isOffered, logIn, fault: logIn.error ?? suggestionFault };
}

async function logInWithPasskey(isSuggestion: boolean, signal: AbortSignal): Promise<LoginState> {
  const options = await ask('POST /api/auth/passkey/options', { signal });
  const credential = await askForPasskey(options, { isSuggestion, signal });
  return ask('POST /api/auth/passkey', { body: { credential }, headers: deviceHeaders() });
}
