import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** The drive that owns something. A personal drive also has an account. */
export interface Owned {
  /** null for a personal drive */
  readonly driveName: string | null;
  /** null for a shared drive */
  readonly ownerUsername: string | null;
  readonly ownerEmail: string | null;
}

/** The name of the shared drive, or of the account. */
export function ownerNameOf({ driveName, ownerUsername }: Owned): string {
  return driveName ?? ownerUsername ?? '';
}

/** The owner: an account or a shared drive, with a link to its details. */
export function OwnerLink({ owner }: { owner: Owned }) {
  const { t } = useTranslation();
  const isShared = owner.driveName !== null;
  const name = ownerNameOf(owner);
  const hint = isShared ? t('admin.drives.kinds.SHARED') : owner.ownerEmail;
  return (
    <>
      <Anchor
        renderRoot={(props) => (
          <Link
            to="/admin/{-$part}"
            params={{ part: isShared ? 'drives' : 'users' }}
            search={{ query: name }}
            {...props}
          />
        )}
        size="sm"
      >
        {name}
      </Anchor>
      {hint !== null && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </>
  );
}
