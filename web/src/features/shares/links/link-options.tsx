import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { EXPIRIES, type Expiry, type OptionFault, type ShareOptions, toLocalField } from './share-options.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

type PasswordOptions = Pick<ShareOptions, 'password' | 'removesPassword'>;
type ExpiryOptions = Pick<ShareOptions, 'expiry' | 'date'>;

interface PasswordOptionProps {
  readonly options: PasswordOptions;
  /** Whether the link has a password already. */
  readonly hasPassword: boolean;
  readonly onChange: (change: Partial<PasswordOptions>) => void;
}

/** The password of a link of any kind. */
export function PasswordOption({ options, hasPassword, onChange }: PasswordOptionProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <PasswordField
        size="md"
        label={t('shares.password')}
        placeholder={t(hasPassword ? 'shares.samePassword' : 'shares.noPassword')}
        autoComplete="new-password"
        maxLength={128}
        disabled={options.removesPassword}
        value={options.password}
        onChange={(event) => onChange({ password: event.currentTarget.value })}
      />
      {hasPassword && (
        <Checkbox
          label={t('shares.endPassword')}
          checked={options.removesPassword}
          onChange={(event) => onChange({ removesPassword: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
}

interface ExpiryOptionProps {
  readonly options: ExpiryOptions;
  /** Shown at its field. */
  readonly fault: OptionFault | undefined;
  readonly onChange: (change: Partial<ExpiryOptions>) => void;
}

/** The end of a link of any kind. */
export function ExpiryOption({ options, fault, onChange }: ExpiryOptionProps) {
  const { t } = useTranslation();
  const choose = (expiry: Expiry) => {
    const date = options.date === '' ? toLocalField(Date.now() + DAY_MS) : options.date;
    onChange({ expiry, ...(expiry === 'date' ? { date } : {}) });
  };
  return (
    <>
      <NativeSelect
        size="md"
        label={t('shares.expires')}
        data={EXPIRIES.map((value) => ({ value, label: t(`shares.expiry_${value}`) }))}
        value={options.expiry}
        // The values are the keys of the options.
        onChange={(event) => choose(event.currentTarget.value as Expiry)}
      />
      {options.expiry === 'date' && (
        <TextInput
          size="md"
          type="datetime-local"
          label={t('shares.expiryDate')}
          min={toLocalField(Date.now())}
          value={options.date}
          error={(fault === 'faultDate' || fault === 'faultPassed') && t(`shares.${fault}`)}
          onChange={(event) => onChange({ date: event.currentTarget.value })}
        />
      )}
    </>
  );
}
