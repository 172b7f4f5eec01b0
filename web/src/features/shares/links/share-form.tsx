import { Alert, Button, NumberInput, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SavedForm } from '../../../ui/fields/saved-form.tsx';
import { ExpiryOption, type LinkFormProps, PasswordOption, useLinkForm } from './link-options.tsx';
import { findOptionFault, type OptionFault, type ShareOptions, WITHOUT_LIMITS } from './share-options.ts';

interface ShareFormProps extends LinkFormProps<ShareOptions> {
  readonly fileName: string;
}

/** The options of a share. All are optional, so one click creates a link. */
export function ShareForm(props: ShareFormProps) {
  const { fileName, initial = WITHOUT_LIMITS, hasPassword = false, action, isPending, onSubmit } = props;
  const { t } = useTranslation();
  const { options, set, fault, shownFault, submit } = useLinkForm(initial, onSubmit, findOptionFault);
  return (
    <SavedForm isSaving={isPending} onSubmit={submit} noValidate>
      <Stack gap="md">
        <ShareLimits
          options={options}
          fileName={fileName}
          hasPassword={hasPassword}
          fault={shownFault}
          onChange={set}
        />
        <Stack gap="xs">
          <Switch
            size="md"
            label={t('shares.allowDownload')}
            checked={options.allowDownload}
            onChange={(event) => set({ allowDownload: event.currentTarget.checked })}
          />
          <Switch
            size="md"
            label={t('shares.allowImport')}
            checked={options.allowImport}
            onChange={(event) => set({ allowImport: event.currentTarget.checked })}
          />
        </Stack>
        {fault === 'faultNothingAllowed' && (
          <Alert color="yellow" role="alert">
            {t('shares.faultNothingAllowed')}
          </Alert>
        )}
        <Button
          type="submit"
          size="md"
          data-autofocus
          loading={isPending}
          disabled={fault === 'faultNothingAllowed'}
        >
          {action}
        </Button>
      </Stack>
    </SavedForm>
  );
}

interface ShareLimitsProps {
  readonly options: ShareOptions;
  readonly fileName: string;
  readonly hasPassword: boolean;
  /** Shown at its field. */
  readonly fault: OptionFault | undefined;
  readonly onChange: (change: Partial<ShareOptions>) => void;
}

/** The fields that limit a share, and its name. */
function ShareLimits({ options, fileName, hasPassword, fault, onChange }: ShareLimitsProps) {
  const { t } = useTranslation();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      <PasswordOption options={options} hasPassword={hasPassword} onChange={onChange} />
      <NumberInput
        size="md"
        label={t('shares.limit')}
        placeholder={t('shares.noLimit')}
        hideControls
        allowNegative={false}
        allowDecimal={false}
        min={1}
        max={1_000_000}
        clampBehavior="blur"
        value={options.limit}
        onChange={(value) => onChange({ limit: typeof value === 'number' ? value : '' })}
      />
      <ExpiryOption options={options} fault={fault} onChange={onChange} />
      <TextInput
        size="md"
        label={t('shares.name')}
        placeholder={fileName}
        maxLength={255}
        value={options.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
    </SimpleGrid>
  );
}
