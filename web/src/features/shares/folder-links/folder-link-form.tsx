import {
  Button,
  NumberInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { FolderLinkRecord } from '../../../../../client/src/client.ts';
import { SavedForm } from '../../../ui/fields/saved-form.tsx';
import { ExpiryOption, type LinkFormProps, PasswordOption, useLinkForm } from '../links/link-options.tsx';
import { type FolderLinkOptions, PLAIN_LINK } from './folder-link-options.ts';

const MODES = ['VIEW', 'UPLOAD', 'BOTH'] as const satisfies readonly FolderLinkRecord['mode'][];

interface FolderLinkFormProps extends LinkFormProps<FolderLinkOptions> {
  readonly folderName: string;
}

/** The options of a folder link. One click creates a link that shows the folder. */
export function FolderLinkForm(props: FolderLinkFormProps) {
  const { folderName, initial = PLAIN_LINK, hasPassword = false, action, isPending, onSubmit } = props;
  const { t } = useTranslation();
  const modeLabel = useId();
  const isPhone = useMediaQuery('(max-width: 36em)');
  const { options, set, shownFault, submit } = useLinkForm(initial, onSubmit);
  return (
    <SavedForm isSaving={isPending} onSubmit={submit} noValidate>
      <Stack gap="md">
        <div>
          <Text id={modeLabel} fw={500} mb={4}>
            {t('folderLinks.mode')}
          </Text>
          <SegmentedControl
            fullWidth
            orientation={isPhone ? 'vertical' : 'horizontal'}
            size="md"
            aria-labelledby={modeLabel}
            data={MODES.map((value) => ({ value, label: t(`folderLinks.mode_${value}`) }))}
            value={options.mode}
            // The options have no other values.
            onChange={(value) => set({ mode: value as FolderLinkRecord['mode'] })}
          />
          <Text size="sm" c="dimmed" mt={4}>
            {t(`folderLinks.modeHint_${options.mode}`)}
          </Text>
        </div>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <PasswordOption options={options} hasPassword={hasPassword} onChange={set} />
          <TextInput
            size="md"
            label={t('folderLinks.title')}
            placeholder={folderName}
            maxLength={128}
            value={options.title}
            onChange={(event) => set({ title: event.currentTarget.value })}
          />
          <ExpiryOption options={options} fault={shownFault} onChange={set} />
          {options.mode !== 'VIEW' && <ReceiveLimits options={options} onChange={set} />}
        </SimpleGrid>
        <Textarea
          size="md"
          label={t('folderLinks.note')}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={2_000}
          value={options.note}
          onChange={(event) => set({ note: event.currentTarget.value })}
        />
        <Button type="submit" size="md" data-autofocus loading={isPending}>
          {action}
        </Button>
      </Stack>
    </SavedForm>
  );
}

interface ReceiveLimitsProps {
  readonly options: FolderLinkOptions;
  readonly onChange: (change: Partial<FolderLinkOptions>) => void;
}

/** The limits of a link that accepts files. */
function ReceiveLimits({ options, onChange }: ReceiveLimitsProps) {
  const { t } = useTranslation();
  const common = {
    size: 'md',
    placeholder: t('shares.noLimit'),
    hideControls: true,
    allowNegative: false,
    clampBehavior: 'blur',
  } as const;
  return (
    <>
      <NumberInput
        {...common}
        label={t('folderLinks.maxFiles')}
        allowDecimal={false}
        min={1}
        max={1_000_000}
        value={options.maxFiles}
        onChange={(value) => onChange({ maxFiles: typeof value === 'number' ? value : '' })}
      />
      <NumberInput
        {...common}
        label={t('folderLinks.maxBytes')}
        suffix=" MB"
        decimalScale={6}
        min={0.000001}
        max={1_000_000_000}
        value={options.maxMegabytes}
        onChange={(value) => onChange({ maxMegabytes: typeof value === 'number' ? value : '' })}
      />
    </>
  );
}
