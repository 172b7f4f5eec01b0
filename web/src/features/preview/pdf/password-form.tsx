import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import viewer from '../preview.module.css';

const MAX_PASSWORD = 127;

interface PasswordFormProps {
  readonly title: string;
  readonly wasWrong: boolean;
  readonly onPassword: (password: string) => void;
}

/** Asks for the password of an encrypted PDF. The password stays in the browser. */
export function PasswordForm({ title, wasWrong, onPassword }: PasswordFormProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onPassword(password);
    setPassword('');
  };
  return (
    <form onSubmit={onSubmit} className={viewer.paperCard}>
      <Stack gap="sm">
        <IconLock size={32} aria-hidden />
        <Text fw={600} className={viewer.long}>
          {title}
        </Text>
        <PasswordInput
          label={t('preview.pdfPassword')}
          description={t('preview.pdfPasswordHint')}
          error={wasWrong && t('preview.wrongPdfPassword')}
          autoComplete="off"
          maxLength={MAX_PASSWORD}
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" disabled={password === ''}>
          {t('preview.openPdf')}
        </Button>
      </Stack>
    </form>
  );
}
