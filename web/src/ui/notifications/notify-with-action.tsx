import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { frame } from './notify.ts';

/** Long enough to read the message and reach the button. */
const STAYS_MS = 10_000;

/**
 * Shows a success notification with a button for a likely next step.
 * @param options.id the notification is not shown if another one with the same id is visible
 * @param options.stays whether the notification stays until the user closes it
 * @param options.replaces the ids of notifications to close, because this one says more
 * @returns its id
 */
export function notifyWithAction(
  message: string,
  action: string,
  onAct: () => void,
  options: { readonly id?: string; readonly stays?: boolean; readonly replaces?: readonly string[] } = {},
): string {
  for (const replaced of options.replaces ?? []) notifications.hide(replaced);
  const id = notifications.show({
    ...frame(),
    ...(options.id === undefined ? {} : { id: options.id }),
    autoClose: options.stays === true ? false : STAYS_MS,
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
