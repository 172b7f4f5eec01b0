import { Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../admin.module.css';
import type { Column } from './columns.tsx';

const HEADER_HEIGHT = 56;

export interface Rows<T> {
  /** The accessible name of the list. */
  readonly title: string;
  /** The first column names the row. */
  readonly columns: readonly Column<T>[];
  /** The actions of a row. */
  readonly acts?: (row: T) => ReactNode;
}

/** The rows as a table, for wide screens. */
export function RowTable<T extends { readonly id: number }>({
  title,
  columns,
  acts,
  items,
}: Rows<T> & { readonly items: readonly T[] }) {
  const { t } = useTranslation();
  const [first, ...others] = columns;
  return (
    <Table
      aria-label={title}
      className={classes.table}
      stickyHeader
      stickyHeaderOffset={HEADER_HEIGHT}
      highlightOnHover
      tabularNums
      verticalSpacing={6}
    >
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ key, title: heading, isNumber }) => (
            <Table.Th key={key} scope="col" className={isNumber ? classes.number : undefined}>
              {heading}
            </Table.Th>
          ))}
          {acts && (
            <Table.Th w={56}>
              <VisuallyHidden>{t('admin.list.acts')}</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map((row) => (
          <Table.Tr key={row.id}>
            <Table.Th scope="row" className={classes.name}>
              {first?.cell(row)}
            </Table.Th>
            {others.map(({ key, cell, isNumber }) => (
              <Table.Td key={key} className={isNumber ? classes.number : undefined}>
                {cell(row)}
              </Table.Td>
            ))}
            {acts && <Table.Td>{acts(row)}</Table.Td>}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
