import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Entered } from './entered.tsx';
import type { Access } from './systems.ts';

interface AccessValuesProps {
  readonly access: Pick<Access, 'address' | 'username'>;
  /** The app password, or what creates it. */
  readonly password: ReactNode;
}

/** The values that every program asks for. */
export function AccessValues({ access: { address, username }, password }: AccessValuesProps) {
  const { t } = useTranslation();
  const values = [
    { name: 'address', shown: <Entered text={address} /> },
    { name: 'username', shown: <Entered text={username} /> },
    { name: 'password', shown: password },
  ] as const;
  return (
    <Stack gap="sm">
      {values.map(({ name, shown }) => (
        <div key={name}>
          <Text size="sm" fw={600}>
            {t(`connect.${name}`)}
          </Text>
          {shown}
        </div>
      ))}
    </Stack>
  );
}
