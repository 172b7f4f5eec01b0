import { Anchor, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { PartName } from '../part-names.ts';

/** One number, and the way to what it counts. */
export function NumberCard({ label, value, part }: { label: string; value: string; part?: PartName }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {part === undefined ? (
          label
        ) : (
          <Anchor
            c="dimmed"
            size="sm"
            renderRoot={(props) => <Link to="/admin/{-$part}" params={{ part }} {...props} />}
          >
            {label}
          </Anchor>
        )}
      </Text>
      <Text fz={26} fw={700} lh={1.3}>
        {value}
      </Text>
    </Paper>
  );
}
