import { SimpleGrid, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PolicyDraft } from './policy-draft.ts';

type PlacePart = 'bucketName' | 'endpoint' | 'region' | 'prefix';

/** The store of a policy, and its location in it. */
export function PolicyPlace(parts: {
  draft: PolicyDraft;
  /** The location of the default policy is set by the environment. */
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
