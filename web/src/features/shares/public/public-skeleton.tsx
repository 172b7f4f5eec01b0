import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** A placeholder of the same size as the content. */
export function PublicSkeleton() {
  const { t } = useTranslation();
  return (
    <Stack gap="lg">
      <VisuallyHidden role="status">{t('shares.loading')}</VisuallyHidden>
      <Stack align="center" gap="xs">
        <Skeleton circle h={80} />
        <Skeleton h={28} w="70%" mt="xs" />
        <Skeleton h={18} w="50%" />
        <Skeleton h={18} w="40%" />
      </Stack>
      <Skeleton h={50} />
    </Stack>
  );
}
