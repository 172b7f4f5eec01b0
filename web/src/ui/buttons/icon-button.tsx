import { ActionIcon, type ActionIconProps, createPolymorphicComponent } from '@mantine/core';
import { labelled } from '../labelled.ts';

interface IconButtonProps extends ActionIconProps {
  /** The accessible name and the tooltip. */
  readonly label: string;
}

/** A button with only an icon, and a tooltip that says what it does. */
export const IconButton = createPolymorphicComponent<'button', IconButtonProps>(
  ({ label, ...props }: IconButtonProps) => <ActionIcon {...labelled(label)} {...props} />,
);
