import { Button, FileButton, Group, Image, Text, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Instance } from '../../../../../client/src/client.ts';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { messageOf } from '../../../common/message-of.ts';
import { refusedField } from '../../../features/account/account-faults.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { notify } from '../../../ui/notifications/notify.ts';
import { useObjectUrl } from '../../../ui/use-object-url.ts';
import { useFormAct } from '../pieces/use-act.ts';

interface InstanceDialogProps {
  readonly instance: Instance;
  readonly onClose: () => void;
}

const FIELDS = ['name', 'greeting'] as const;
/** SVG is missing, because the server does not decode it. */
const PICTURES = 'image/png,image/jpeg,image/webp,image/gif,image/avif,image/heic';
const MAX_NAME = 40;
const MAX_GREETING = 300;

/** The name, the greeting and the logo of the instance. */
export function InstanceDialog({ instance: current, onClose }: InstanceDialogProps) {
  const { t } = useTranslation();
  const [before] = useState(current);
  const [name, setName] = useState(before.name);
  const [greeting, setGreeting] = useState(before.greeting ?? '');
  /** The new logo; null to remove it; undefined to keep it. */
  const [logo, setLogo] = useState<File | null>();
  const change = useInstanceChange(before, onClose);
  const refused = refusedField(change.error, FIELDS);
  const isUnreadable = change.error instanceof HoldallError && change.error.status === 415;
  const refusal = (field: (typeof FIELDS)[number]) => refused === field && messageOf(change.error);
  return (
    <FormDialog
      title={t('admin.instance.title')}
      action={t('admin.save')}
      isPending={change.isPending}
      error={refused === undefined && !isUnreadable ? change.error : null}
      onSubmit={() => change.mutate({ name: name.trim(), greeting: greeting.trim(), logo })}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('admin.instance.hint')}
      </Text>
      <TextInput
        label={t('admin.instance.name')}
        description={t('admin.instance.nameHint')}
        value={name}
        maxLength={MAX_NAME}
        error={refusal('name')}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={t('admin.instance.greeting')}
        description={t('admin.instance.greetingHint')}
        value={greeting}
        maxLength={MAX_GREETING}
        rows={3}
        error={refusal('greeting')}
        onChange={(event) => setGreeting(event.currentTarget.value)}
      />
      <LogoChoice
        kept={before.logoUrl}
        logo={logo}
        error={isUnreadable ? t('admin.instance.unreadable') : undefined}
        onChange={(chosen) => {
          setLogo(chosen);
          change.reset();
        }}
      />
    </FormDialog>
  );
}

interface InstanceChange {
  readonly name: string;
  readonly greeting: string;
  readonly logo: File | null | undefined;
}

/** Saves what has changed. The picture comes first, because it is most likely to be refused. */
function useInstanceChange(before: Instance, onClose: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const save = async ({ name, greeting, logo }: InstanceChange) => {
    const keep = (saved: Instance) => queries.setQueryData(KEYS.instance(), saved);
    if (logo === null) keep(await ask('DELETE /api/admin/settings/instance/logo'));
    else if (logo !== undefined) {
      const body = new FormData();
      body.set('file', logo, 'logo');
      keep(await ask('POST /api/admin/settings/instance/logo', { body }));
    }
    const texts = {
      ...(name !== before.name && { name: name || null }),
      ...(greeting !== (before.greeting ?? '') && { greeting: greeting || null }),
    };
    if (Object.keys(texts).length > 0) {
      keep(await ask('PATCH /api/admin/settings/instance', { body: texts }));
    }
  };
  return useFormAct(save, () => {
    onClose();
    notify(t('admin.instance.changed'));
  });
}

interface LogoChoiceProps {
  /** The address of the logo so far. */
  readonly kept: string | null;
  readonly logo: File | null | undefined;
  readonly error: string | undefined;
  readonly onChange: (logo: File | null) => void;
}

function LogoChoice({ kept, logo, error, onChange }: LogoChoiceProps) {
  const { t } = useTranslation();
  const chosen = useObjectUrl(logo);
  const shown = logo === undefined ? kept : chosen;
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {t('admin.instance.logo')}
      </Text>
      <Group gap="sm">
        <Image src={shown ?? '/web/icon.svg'} w={48} h={48} fit="contain" alt="" />
        <FileButton
          accept={PICTURES}
          inputProps={{ 'aria-label': t('admin.instance.choose') }}
          onChange={(file) => file !== null && onChange(file)}
        >
          {(props) => (
            <Button {...props} variant="default" mih="var(--tap-size)">
              {t('admin.instance.choose')}
            </Button>
          )}
        </FileButton>
        {shown != null && (
          <Button variant="subtle" mih="var(--tap-size)" onClick={() => onChange(null)}>
            {t('admin.instance.remove')}
          </Button>
        )}
      </Group>
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" mt={4} role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}
