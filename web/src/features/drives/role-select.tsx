import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ROLES, type Role } from './use-drive.ts';

interface RoleSelectProps extends Omit<NativeSelectProps, 'value' | 'onChange' | 'data'> {
  readonly role: Role;
  readonly onRole: (role: Role) => void;
}

/** Chooses a role in a shared drive. Changes with the arrow keys also count. */
export function RoleSelect({ role, onRole, ...props }: RoleSelectProps) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      {...props}
      value={role}
      data={ROLES.map((value) => ({ value, label: t(`drives.roles.${value}`) }))}
      onChange={({ currentTarget: { value } }) => onRole(ROLES.find((each) => each === value) ?? 'VIEWER')}
    />
  );
}
