import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NewUserBody } from '../../../../../../client/src/client.ts';
import { ask } from '../../../../api/ask.ts';
import { messageOf } from '../../../../common/message-of.ts';
import {
  findEmailFault,
  findPasswordFault,
  findPhoneNumberFault,
  findUsernameFault,
  missingOr,
  withoutNone,
} from '../../../../features/account/account-faults.ts';
import { useFormFields } from '../../../../features/account/form-fields.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { PasswordField } from '../../../../ui/fields/password-field.tsx';
import { notify } from '../../../../ui/notifications/notify.ts';
import { useFormAct } from '../../pieces/use-act.ts';
import { TemporaryPasswordDialog } from './temporary-password.tsx';

const NOTHING = { username: '', email: '', phoneNumber: '', password: '' };
type Field = keyof typeof NOTHING;

/** Creates an account. Without a password, shows the one that the service has generated. */
export function NewUserDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(NOTHING);
  const [isTried, setTried] = useState(false);
  const { password, ...rest } = typed;
  const create = useFormAct(
    (body: NewUserBody) => ask('POST /api/admin/users', { body }),
    ({ username, temporaryPassword }) => {
      if (temporaryPassword !== null) return;
      notify(t('admin.users.userCreated', { name: username }));
      onClose();
    },
  );
  const faults = withoutNone({
    username: missingOr(typed.username, findUsernameFault(typed.username)),
    email: missingOr(typed.email, findEmailFault(typed.email)),
    phoneNumber: missingOr(typed.phoneNumber, findPhoneNumberFault(typed.phoneNumber)),
    password: password === '' ? undefined : findPasswordFault(password, typed.username),
  });
  const { data: created } = create;
  const { field: toField, refused } = useFormFields({
    ...{ values: typed, setValues: setTyped, faults, isFaultShown: () => isTried, request: create },
    textOfError: messageOf,
  });
  if (created !== undefined && created.temporaryPassword !== null) {
    return (
      <TemporaryPasswordDialog
        username={created.username}
        text={t('admin.users.firstPasswordText')}
        password={created.temporaryPassword}
        onClose={onClose}
      />
    );
  }
  const field = (name: Field) => ({ label: t(`auth.${name}`), ...toField(name) });
  return (
    <FormDialog
      title={t('admin.users.create')}
      action={t('admin.users.createAction')}
      isPending={create.isPending}
      error={refused === undefined ? create.error : null}
      onSubmit={() => {
        setTried(true);
        if (Object.keys(faults).length > 0) return;
        create.mutate(password === '' ? rest : { ...rest, password });
      }}
      onClose={onClose}
    >
      <TextInput
        {...field('username')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
      />
      <TextInput {...field('email')} type="email" autoComplete="off" />
      <TextInput {...field('phoneNumber')} type="tel" autoComplete="off" />
      <PasswordField
        {...field('password')}
        description={t('admin.users.firstPasswordHint')}
        autoComplete="new-password"
      />
    </FormDialog>
  );
}
