import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { frame, type NoticeKind } from './notify.ts';

/** Long enough to read the message and reach the button. */
const STAYS_MS = 10_000;

/** A second button of a notification. */
export interface NextStep {
  readonly label: string;
  readonly onAct: () => void;
}

/**
 * Shows a notification with a button for a likely next step. A failure stays until the user closes it.
 * @param options.id the notification is not shown if another one with the same id is visible
 * @param options.kind by default a success
 * @param options.stays whether the notification stays until the user closes it
 * @param options.next a second button
 * @param options.replaces the ids of notifications to close, because this one says more
 * @returns its id
 */
export function notifyWithAction(
  message: string,
  action: string,
  onAct: () => void,
  options: {
    readonly kind?: NoticeKind;
    readonly id?: string;
    readonly stays?: boolean;
    readonly next?: NextStep | undefined;
    readonly replaces?: readonly string[];
  } = {},
): string {
  const { kind = 'success' } = options;
  for (const replaced of options.replaces ?? []) notifications.hide(replaced);
  const button = (label: string, act: () => void) => (
    <Button
      variant="light"
      size="xs"
      onClick={() => {
        notifications.hide(id);
        act();
      }}
    >
      {label}
    </Button>
  );
  const id: string = notifications.show({
    ...frame(kind),
    ...(options.id === undefined ? {} : { id: options.id }),
    autoClose: options.stays === true || kind === 'failure' ? false : STAYS_MS,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        <Group gap={4} wrap="nowrap" style={{ flexShrink: 0 }}>
          {button(action, onAct)}
          {options.next !== undefined && button(options.next.label, options.next.onAct)}
        </Group>
      </Group>
    ),
  });
  return id;
}
