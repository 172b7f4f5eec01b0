import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { frame } from './tell.ts';

/** Long enough to read it and to reach the button. */
const STAYS_MS = 10_000;

/** Shows a success notification with a button for a likely next step. @returns its id */
export function tellWithAction(message: string, action: string, onAct: () => void): string {
  const id = notifications.show({
    ...frame(),
    autoClose: STAYS_MS,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        <Button
          variant="light"
          size="xs"
          style={{ flexShrink: 0 }}
          onClick={() => {
            notifications.hide(id);
            onAct();
          }}
        >
          {action}
        </Button>
      </Group>
    ),
  });
  return id;
}
