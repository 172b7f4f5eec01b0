import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** The owner, with a link to their details. */
export function OwnerLink({ username, email }: { username: string; email: string | null }) {
  return (
    <>
      <Anchor
        renderRoot={(props) => (
          <Link to="/admin/{-$part}" params={{ part: 'users' }} search={{ query: username }} {...props} />
        )}
        size="sm"
      >
        {username}
      </Anchor>
      {email !== null && (
        <Text size="xs" c="dimmed">
          {email}
        </Text>
      )}
    </>
  );
}
