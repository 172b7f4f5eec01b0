/** @jsxImportSource react */
// React's own JSX runtime: ours would alter direction marks, but the text of a file is shown unchanged.
import { Table, Text } from '@mantine/core';
import Papa from 'papaparse';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../messages/formats.ts';
import classes from './text.module.css';
import { MAX_ROWS } from './text-kind.ts';

const MAX_COLUMNS = 100;

/** The rows of a CSV file. The first row is the header. */
export function TableView({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const { rows, isCut } = useMemo(() => parse(text), [text]);
  const [head = [], ...body] = rows;
  return (
    <>
      {isCut && (
        <Text size="sm" p="xs" data-unsearched>
          {t('preview.firstRows', { number: formatNumber(MAX_ROWS) })}
        </Text>
      )}
      <Table className={classes.table} striped withColumnBorders stickyHeader>
        <Table.Thead>
          <Table.Tr>
            {head.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have nothing but their place
              <Table.Th key={column} scope="col">
                {cell}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {body.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: only its index identifies a row
            <Table.Tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have nothing but their place
                <Table.Td key={column}>{cell}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

function parse(text: string): { rows: readonly (readonly string[])[]; isCut: boolean } {
  // Excel's first line can name the separator.
  const [line = '', delimiter] = /^sep=(.)\r?\n/.exec(text) ?? [];
  const { data } = Papa.parse<string[]>(text.slice(line.length), {
    preview: MAX_ROWS + 2,
    skipEmptyLines: 'greedy',
    ...(delimiter !== undefined && { delimiter }),
  });
  const rows = data.slice(0, MAX_ROWS + 1).map((row) => row.slice(0, MAX_COLUMNS));
  return { rows, isCut: data.length > rows.length };
}
