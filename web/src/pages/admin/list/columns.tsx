import { Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '../admin.module.css';
import { type Owned, OwnerLink } from '../pieces/owner-link.tsx';

export interface Column<T> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean;
}

/** The owner of each row. */
export function ownerColumn(title: string): Column<Owned> {
  return { key: 'owner', title, cell: (row) => <OwnerLink owner={row} /> };
}

interface RowNameProps {
  readonly name: ReactNode;
  /** A second line, in small letters. */
  readonly hint?: ReactNode;
  /** Shows the details. */
  readonly onOpen?: () => void;
}

/** The first cell of a row. */
export function RowName({ name, hint, onOpen }: RowNameProps) {
  return (
    <>
      {onOpen === undefined ? (
        name
      ) : (
        <UnstyledButton className={classes.open} onClick={onOpen}>
          {name}
        </UnstyledButton>
      )}
      {hint !== undefined && (
        <Text size="xs" c="dimmed" fw={400}>
          {hint}
        </Text>
      )}
    </>
  );
}
