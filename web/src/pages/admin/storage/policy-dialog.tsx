import { Fieldset, Radio, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminPolicy, PolicyBody } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { notify } from '../../../ui/notifications/notify.ts';
import { ByteInput } from '../pieces/amounts/byte-input.tsx';
import { useFormAct } from '../pieces/use-act.ts';
import { isComplete, mayTake, newDraft, type PolicyDraft, STORES, toDraft } from './policy-draft.ts';

const MAX_LETTERS = 64;
/** Creates or changes a policy. */
export function PolicyDialog({ policy, onClose }: { policy: AdminPolicy | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(policy === undefined ? newDraft('LOCAL') : toDraft(policy));
  const [sizes, setSizes] = useState({ isTotalGood: true, isObjectGood: true });
  const change = (some: Partial<PolicyDraft>) => setDraft((before) => ({ ...before, ...some }));
  const can = (some: Partial<PolicyDraft['capabilities']>) =>
    setDraft((before) => ({ ...before, capabilities: { ...before.capabilities, ...some } }));
  const save = useFormAct(
    (body: PolicyBody) =>
      policy === undefined
        ? ask('POST /api/admin/storage-policies', { body })
        : ask('PUT /api/admin/storage-policies/{policyId}', { path: { policyId: policy.id }, body }),
    ({ name }) => {
      onClose();
      notify(t('admin.policies.saved', { name }));
    },
  );
  return (
    <FormDialog
      title={
        policy === undefined
          ? t('admin.policies.addTitle')
          : t('admin.policies.editTitle', { name: policy.name })
      }
      action={policy === undefined ? t('admin.policies.create') : t('admin.save')}
      size="lg"
      isPending={save.isPending}
      error={save.error}
      isReady={isComplete(draft) && sizes.isTotalGood && sizes.isObjectGood}
      onSubmit={() => save.mutate(draft)}
      onClose={onClose}
    >
      <TextInput
        label={t('admin.policies.name')}
        value={draft.name}
        required
        maxLength={MAX_LETTERS}
        data-autofocus
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      {policy === undefined && (
        <TypeChoice type={draft.type} onChange={(type) => setDraft(newDraft(type, draft.name))} />
      )}
      <PolicyPlace draft={draft} isFixed={policy?.defaultPolicy === true} onChange={change} />
      {/* Another type means another store with another maximum size, so this field is reset. */}
      <ByteInput
        key={`size of ${draft.type}`}
        label={t('admin.policies.maxSize')}
        description={t('admin.policies.maxSizeHint')}
        bytes={draft.maxSizeBytes}
        onChange={(bytes) => {
          setSizes((before) => ({ ...before, isTotalGood: bytes !== undefined }));
          if (bytes !== undefined) change({ maxSizeBytes: bytes });
        }}
      />
      <ByteInput
        key={`object of ${draft.type}`}
        label={t('admin.policies.maxObjectSize')}
        description={t('admin.policies.maxObjectSizeHint')}
        bytes={draft.capabilities.maxObjectSize}
        onChange={(bytes) => {
          setSizes((before) => ({ ...before, isObjectGood: bytes !== undefined }));
          if (bytes !== undefined) can({ maxObjectSize: bytes });
        }}
      />
      <AbilitySwitches draft={draft} onChange={can} />
      {policy === undefined && (
        <Switch
          label={t('admin.policies.enabled')}
          checked={draft.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
      )}
      <Text size="sm" c="dimmed">
        {t('admin.policies.credentials')}
      </Text>
    </FormDialog>
  );
}

type StoreType = PolicyDraft['type'];

function TypeChoice({ type, onChange }: { type: StoreType; onChange: (type: StoreType) => void }) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t('admin.policies.type')}
      value={type}
      onChange={(value) => onChange(value === 'LOCAL' ? 'LOCAL' : 'S3_COMPATIBLE')}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="LOCAL" label={t('admin.policies.types.LOCAL')} />
        <Radio value="S3_COMPATIBLE" label={t('admin.policies.types.S3_COMPATIBLE')} />
      </Stack>
    </Radio.Group>
  );
}

interface AbilitySwitchesProps {
  readonly draft: PolicyDraft;
  readonly onChange: (change: Partial<PolicyDraft['capabilities']>) => void;
}

/** What the store of a policy can do. */
function AbilitySwitches({ draft, onChange }: AbilitySwitchesProps) {
  const { t } = useTranslation();
  return (
    <Fieldset legend={t('admin.policies.abilities')}>
      <Stack gap="sm">
        {STORES[draft.type].abilities.map((ability) => (
          <Switch
            key={ability}
            label={t(`admin.policies.can.${ability}`)}
            description={t(`admin.policies.canHints.${ability}`)}
            checked={draft.capabilities[ability]}
            disabled={draft.capabilities[ability] && !mayTake(draft, ability)}
            onChange={(event) => onChange({ [ability]: event.currentTarget.checked })}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}

type PlacePart = 'bucketName' | 'endpoint' | 'region' | 'prefix';

/** The store of a policy, and its location in it. */
function PolicyPlace(parts: {
  draft: PolicyDraft;
  /** Whether the location cannot be changed: environment variables set that of the default policy. */
  isFixed: boolean;
  onChange: (some: Partial<PolicyDraft>) => void;
}) {
  const { t } = useTranslation();
  const { draft, isFixed, onChange } = parts;
  const field = (name: PlacePart) => ({
    label: t(`admin.policies.place.${name}`),
    value: draft[name] ?? '',
    disabled: isFixed,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ [name]: event.currentTarget.value || null }),
  });
  return (
    <div>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {draft.type === 'S3_COMPATIBLE' && (
          <>
            <TextInput {...field('bucketName')} required />
            <TextInput {...field('region')} placeholder="eu-central-1" />
            <TextInput {...field('endpoint')} type="url" placeholder="https://s3.example.org" />
          </>
        )}
        <TextInput {...field('prefix')} placeholder="archive/2026" />
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt={6}>
        {t(isFixed ? 'admin.policies.placeFixed' : 'admin.policies.placeHint')}
      </Text>
    </div>
  );
}
