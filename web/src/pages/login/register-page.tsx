import { Anchor, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RegisterBody } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { deviceHeaders } from '../../api/device.ts';
import { startSession } from '../../api/session.ts';
import { messageOf } from '../../common/message-of.ts';
import { findRegistrationFaults } from '../../features/account/account-faults.ts';
import { useFormFields } from '../../features/account/form-fields.ts';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { FrontPage } from './front-page.tsx';

type Field = keyof RegisterBody;

export function RegisterPage() {
  const { t } = useTranslation();
  const { next } = useSearch({ from: '/register' });
  const { body, field, refused, register, submit } = useRegistrationForm(next);
  return (
    <FrontPage
      title={t('auth.join')}
      action={t('auth.register')}
      error={refused === undefined ? register.error : null}
      failedAt={register.error === null ? 0 : register.submittedAt}
      isPending={register.isPending}
      onSubmit={submit}
      foot={
        <>
          {t('auth.hasAccount')}{' '}
          <Anchor
            renderRoot={(props) => (
              <Link {...props} to="/login" search={next === undefined ? {} : { next }} />
            )}
            size="sm"
            underline="always"
          >
            {t('auth.logIn')}
          </Anchor>
        </>
      }
    >
      <TextInput
        size="md"
        {...field('inviteCode')}
        description={t('auth.inviteHint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={body.inviteCode === ''}
      />
      <TextInput
        size="md"
        {...field('username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={body.inviteCode !== ''}
      />
      <Text size="sm" c="dimmed">
        {t('auth.whyContact')}
      </Text>
      <TextInput size="md" {...field('email')} type="email" autoComplete="email" />
      <TextInput size="md" {...field('phoneNumber')} type="tel" autoComplete="tel" />
      <PasswordField
        size="md"
        {...field('password')}
        description={t('auth.passwordHint')}
        autoComplete="new-password"
      />
      <PasswordField size="md" {...field('confirmPassword')} autoComplete="new-password" />
    </FrontPage>
  );
}

/** The registration form: its values, its faults and its request. @param next the page to open afterwards */
function useRegistrationForm(next: string | undefined) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [body, setBody] = useState(emptyForm);
  /** The fields that the user has left. Faults in the others are not shown yet. */
  const [left, setLeft] = useState<ReadonlySet<Field>>(new Set());
  const [isTried, setTried] = useState(false);
  const register = useMutation({
    mutationFn: () =>
      ask('POST /api/auth/register', {
        body: { ...body, inviteCode: body.inviteCode.trim() },
        headers: deviceHeaders(),
      }),
    onSuccess: (state) => {
      startSession(state);
      return navigate({ href: next ?? '/', replace: true });
    },
  });
  const faults = findRegistrationFaults(body);
  const fields = useFormFields({
    ...{ values: body, setValues: setBody, faults, request: register, textOfError: messageOf },
    isFaultShown: (name) => isTried || (left.has(name) && body[name] !== ''),
  });
  const field = (name: Field) => ({
    name,
    label: t(`auth.${name}`),
    required: true,
    ...fields.field(name),
    onBlur: () => setLeft((before) => new Set([...before, name])),
  });
  const submit = () => {
    setTried(true);
    if (Object.keys(faults).length === 0) register.mutate();
  };
  return { body, field, refused: fields.refused, register, submit };
}

function emptyForm(): RegisterBody {
  return {
    username: '',
    email: '',
    phoneNumber: '',
    password: '',
    confirmPassword: '',
    // An invite link may contain the code.
    inviteCode: new URLSearchParams(window.location.search).get('code') ?? '',
  };
}
