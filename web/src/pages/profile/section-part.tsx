import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A part of a section with its own heading. */
export function SectionPart({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack gap="sm">
      <Title order={3} size="h6">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

/** Explains a section or a part of it. */
export function Hint({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" maw={560}>
      {children}
    </Text>
  );
}
