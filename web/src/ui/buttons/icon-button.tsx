import { ActionIcon, type ActionIconProps, createPolymorphicComponent } from '@mantine/core';
import { labelled } from '../labelled.ts';

interface IconButtonProps extends ActionIconProps {
  /** The accessible name and, by default, the tooltip. */
  readonly label: string;
  readonly tooltip?: string;
}

/** A button with only an icon, and a tooltip that says what it does. */
export const IconButton = createPolymorphicComponent<'button', IconButtonProps>(
  ({ label, tooltip, ...props }: IconButtonProps) => <ActionIcon {...labelled(label, tooltip)} {...props} />,
);
