import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecoveryCodes, TotpEnrolment } from '../../../../../client/src/client.ts';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { ask } from '../../../api/ask.ts';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { SavedForm } from '../../../ui/fields/saved-form.tsx';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { QrCode } from '../../../ui/qr/qr-code.tsx';

interface TotpSetupProps {
  readonly enrolment: TotpEnrolment;
  readonly onConfirmed: (codes: RecoveryCodes) => void;
}

/** Sets up an authenticator app: shows the secret, and asks for a code to prove that the app has it. */
export function TotpSetup({ enrolment, onConfirmed }: TotpSetupProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => ask('POST /api/user/totp/confirm', { body: { code } }),
    onSuccess: onConfirmed,
  });
  const isWrong = confirm.error instanceof HoldallError && confirm.error.status === 400;
  const submit = () => {
    if (code.trim() !== '') confirm.mutate();
  };
  return (
    <SavedForm isSaving={confirm.isPending} onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">{t('security.scan')}</Text>
        <Group justify="center">
          <QrCode text={enrolment.otpauthUri} label={t('security.qr')} width={200} />
        </Group>
        <Text size="sm">{t('security.typeIt')}</Text>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {enrolment.secret.replaceAll(/(.{4})(?!$)/g, '$1 ')}
        </Code>
        <Group>
          <CopyButton text={enrolment.secret} label={t('security.copyKey')} mih="var(--tap-size)" />
        </Group>
        {confirm.error !== null && !isWrong && <FailureNotice error={confirm.error} />}
        <TextInput
          size="md"
          label={t('security.code')}
          description={t('security.codeHint')}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={12}
          required
          value={code}
          error={isWrong && t('security.codeWrong')}
          errorProps={{ role: 'alert' }}
          onChange={({ currentTarget: { value } }) => {
            setCode(value);
            if (isWrong) confirm.reset();
          }}
        />
        <Group justify="flex-end">
          <Button type="submit" mih="var(--tap-size)" loading={confirm.isPending}>
            {t('security.confirm')}
          </Button>
        </Group>
      </Stack>
    </SavedForm>
  );
}
