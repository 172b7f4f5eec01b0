import { Alert, Button, Stack } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';

interface LinkFaultProps {
  readonly text: string;
  /** The page with another link. */
  readonly to: '/forgot-password' | '/profile';
  /** The label of the link to that page. */
  readonly action: string;
}

/** Says why a mailed link does not work, and leads to the page where people request another one. */
export function LinkFault({ text, to, action }: LinkFaultProps) {
  return (
    <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
      <Stack gap="sm" align="flex-start">
        {text}
        <Button variant="default" mih="var(--tap-size)" renderRoot={(props) => <Link {...props} to={to} />}>
          {action}
        </Button>
      </Stack>
    </Alert>
  );
}
