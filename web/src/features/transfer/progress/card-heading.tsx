import { Group, Loader, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';

interface CardHeadingProps {
  readonly isBusy: boolean;
  readonly isDone: boolean;
  /** Screen readers announce it when it changes. */
  readonly title: string;
  readonly amount: string;
}

/** The heading of a card: what is happening to the files, and how many there are. */
export function CardHeading({ isBusy, isDone, title, amount }: CardHeadingProps) {
  return (
    <Group gap="sm" wrap="nowrap">
      {isBusy && <Loader size="sm" aria-hidden />}
      {isDone && <IconCircleCheck size={28} color="green" aria-hidden />}
      <div>
        <div role="status">
          <Title order={2} size="h4">
            {title}
          </Title>
        </div>
        <Text size="sm" c="dimmed">
          {amount}
        </Text>
      </div>
    </Group>
  );
}
