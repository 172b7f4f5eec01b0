import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './profile.module.css';

interface SectionProps {
  readonly title: string;
  /** A word for the present state, after the title. */
  readonly state?: string | undefined;
  /** For links to the section. */
  readonly id?: string;
  readonly children: ReactNode;
}

/** A section of a part of the settings. */
export function Section({ title, state, id, children }: SectionProps) {
  const titleId = useId();
  return (
    <Stack component="section" gap="md" id={id} className={classes.section} aria-labelledby={titleId}>
      <Group gap="xs">
        <Title order={2} size="md" fw={600} id={titleId}>
          {title}
        </Title>
        {state !== undefined && (
          <Badge variant="default" size="sm">
            {state}
          </Badge>
        )}
      </Group>
      {children}
    </Stack>
  );
}

/** Explains a section. */
export function Hint({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" maw={560}>
      {children}
    </Text>
  );
}
