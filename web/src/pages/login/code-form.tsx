import { Anchor, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LoginState } from '../../../../client/src/client.ts';
import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { ask } from '../../api/ask.ts';
import { deviceHeaders } from '../../api/device.ts';
import { FrontPage } from './front-page.tsx';

interface CodeFormProps {
  /** The ticket of a login whose password was correct. */
  readonly ticket: string;
  readonly onEnter: (state: LoginState) => Promise<void>;
  /** @param isEnded whether the service no longer accepts the ticket */
  readonly onBack: (isEnded: boolean) => void;
}

/** The second step of a login: a code of the authenticator app, or a recovery code. */
export function CodeForm({ ticket, onEnter, onBack }: CodeFormProps) {
  const { t } = useTranslation();
  const [isRecovery, setRecovery] = useState(false);
  const [code, setCode] = useState('');
  const [isTried, setTried] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const finish = useMutation({
    mutationFn: () =>
      ask('POST /api/auth/second-factor', {
        body: { ticket, code },
        headers: deviceHeaders(),
      }),
    onSuccess: onEnter,
    onError: (error) => {
      if (error instanceof HoldallError && error.required === 'login') onBack(true);
      else field.current?.select();
    },
  });
  const isWrong = finish.error instanceof HoldallError && finish.error.status === 401;
  const change = (value: string) => {
    setCode(value);
    if (isWrong) finish.reset();
  };
  const choose = (wantsRecovery: boolean) => {
    setRecovery(wantsRecovery);
    setTried(false);
    change('');
    field.current?.focus();
  };
  return (
    <FrontPage
      title={t('auth.codeTitle')}
      action={t('auth.logIn')}
      error={isWrong ? null : finish.error}
      failedAt={finish.error === null ? 0 : finish.submittedAt}
      isPending={finish.isPending}
      isLogin
      onSubmit={() => {
        setTried(true);
        if (code.trim() !== '') finish.mutate();
      }}
      foot={
        <Stack gap="xs" align="center">
          <Anchor
            component="button"
            type="button"
            size="sm"
            underline="always"
            onClick={() => choose(!isRecovery)}
          >
            {t(isRecovery ? 'auth.useApp' : 'auth.useRecovery')}
          </Anchor>
          <Anchor component="button" type="button" size="sm" underline="always" onClick={() => onBack(false)}>
            {t('auth.otherLogin')}
          </Anchor>
        </Stack>
      }
    >
      <TextInput
        key={isRecovery ? 'recovery' : 'app'}
        ref={field}
        size="md"
        label={t(isRecovery ? 'auth.recoveryCode' : 'auth.code')}
        description={t(isRecovery ? 'auth.recoveryHint' : 'security.codeHint')}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={isRecovery ? 64 : 12}
        required
        autoFocus
        value={code}
        error={isWrong ? t('auth.codeWrong') : isTried && code.trim() === '' && t('auth.faultMissing')}
        errorProps={{ role: 'alert' }}
        onChange={(event) => change(event.currentTarget.value)}
      />
    </FrontPage>
  );
}
