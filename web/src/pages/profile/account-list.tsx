import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface Row {
  readonly name: string;
  readonly badge?: string | undefined;
  /** The lines below the name. */
  readonly facts: readonly string[];
  readonly action: string;
  /** The accessible name of the button: the action with the item's name. */
  readonly actionOf: string;
  readonly isPending?: boolean;
}

interface AccountListProps<Item> {
  readonly items: readonly Item[];
  readonly rowOf: (item: Item) => Row;
  readonly onAct: (item: Item) => void;
}

/** Items of the account, each with a button. */
export function AccountList<Item extends { readonly id: number | string }>({
  items,
  rowOf,
  onAct,
}: AccountListProps<Item>) {
  return (
    <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
      {items.map((item) => (
        <AccountRow key={item.id} {...rowOf(item)} onAct={() => onAct(item)} />
      ))}
    </Stack>
  );
}

function AccountRow({ name, badge, facts, action, actionOf, isPending, onAct }: Row & { onAct: () => void }) {
  return (
    <Group component="li" justify="space-between" wrap="nowrap" align="flex-start">
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {badge !== undefined && (
            <Badge variant="default" size="sm">
              {badge}
            </Badge>
          )}
        </Group>
        {facts.map((fact) => (
          <Text key={fact} size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {fact}
          </Text>
        ))}
      </Stack>
      <Button
        variant="default"
        mih="var(--tap-size)"
        style={{ flexShrink: 0 }}
        loading={isPending === true}
        aria-label={actionOf}
        onClick={onAct}
      >
        {action}
      </Button>
    </Group>
  );
}

interface RemovableListProps<Item> extends Omit<AccountListProps<Item>, 'onAct'> {
  /** The question before an item is removed, which explains the effect. */
  readonly question: string;
  readonly isPending: boolean;
  /** @param close closes the question */
  readonly onRemove: (item: Item, close: () => void) => void;
}

/** Items of the account, each with a button that asks and then removes it. */
export function RemovableList<Item extends { readonly id: number | string }>({
  items,
  rowOf,
  question,
  isPending,
  onRemove,
}: RemovableListProps<Item>) {
  const [chosen, setChosen] = useState<Item>();
  const close = () => setChosen(undefined);
  return (
    <>
      <AccountList items={items} rowOf={rowOf} onAct={setChosen} />
      {chosen !== undefined && (
        <ConfirmDialog
          title={rowOf(chosen).actionOf}
          text={question}
          action={rowOf(chosen).action}
          isPending={isPending}
          onConfirm={() => onRemove(chosen, close)}
          onClose={close}
        />
      )}
    </>
  );
}
