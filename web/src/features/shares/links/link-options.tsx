import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import {
  EXPIRIES,
  type Expiry,
  findExpiryFault,
  type LinkOptions,
  type OptionFault,
  toLocalField,
} from './share-options.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The props of the form of a link of any kind. */
export interface LinkFormProps<Options> {
  /** The label of the button. */
  readonly action: string;
  readonly isPending: boolean;
  readonly onSubmit: (options: Options) => void;
  /** The current options of an existing link. */
  readonly initial?: Options;
  /** Whether that link has a password. */
  readonly hasPassword?: boolean;
}

/** The state of the form of a link of any kind. */
export function useLinkForm<Options extends LinkOptions>(
  initial: Options,
  onSubmit: (options: Options) => void,
  findFault: (options: Options, now: number) => OptionFault | undefined = findExpiryFault,
) {
  const [options, setOptions] = useState(initial);
  const [isTried, setTried] = useState(false);
  // An unchanged expiry is no fault, even if it is in the past.
  const isSameEnd = options.expiry === initial.expiry && options.date === initial.date;
  const found = findFault(options, Date.now());
  const fault = found === 'faultPassed' && isSameEnd ? undefined : found;
  return {
    options,
    set: (change: Partial<Options>) => setOptions((before) => ({ ...before, ...change })),
    fault,
    /** The fault, shown only after the first attempt to submit. */
    shownFault: isTried ? fault : undefined,
    submit: () => {
      setTried(true);
      if (fault === undefined) onSubmit(options);
    },
  };
}

interface OptionProps {
  readonly options: LinkOptions;
  readonly onChange: (change: Partial<LinkOptions>) => void;
}

/** The password of a link of any kind. */
export function PasswordOption({ options, hasPassword, onChange }: OptionProps & { hasPassword: boolean }) {
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

interface ExpiryOptionProps extends OptionProps {
  /** Shown at its field. */
  readonly fault: OptionFault | undefined;
}

/** The expiry of a link of any kind. */
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
        // The options have no other values.
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
