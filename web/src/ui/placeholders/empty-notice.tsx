import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shown instead of an empty list: what it is for, and what to do. */
export function EmptyNotice({
  icon,
  title,
  children,
}: {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
}) {
  return (
    <Stack align="center" gap="xs" py={64} c="dimmed">
      {icon}
      <Title order={2} size="h4" c="var(--mantine-color-text)">
        {title}
      </Title>
      <Text size="sm" ta="center" maw={420} component="div">
        {children}
      </Text>
    </Stack>
  );
}
