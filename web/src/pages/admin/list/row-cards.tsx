import { Box, Group, Paper, SimpleGrid } from '@mantine/core';
import classes from '../admin.module.css';
import type { Rows } from './rows.ts';

/** The rows as cards, for narrow screens. */
export function RowCards<T extends { readonly id: number }>({
  title,
  columns,
  acts,
  items,
}: Rows<T> & { readonly items: readonly T[] }) {
  const [first, ...others] = columns;
  return (
    <SimpleGrid
      component="ul"
      className={classes.cards}
      aria-label={title}
      cols={{ base: 1, sm: 2 }}
      spacing="xs"
    >
      {items.map((row) => (
        <Paper key={row.id} component="li" withBorder p="sm">
          <Group wrap="nowrap" align="flex-start" justify="space-between" gap="xs">
            <Box className={classes.name}>{first?.cell(row)}</Box>
            {acts?.(row)}
          </Group>
          <dl className={classes.facts}>
            {others.map(({ key, title: heading, cell }) => (
              <div key={key}>
                <dt>{heading}</dt>
                <dd>{cell(row)}</dd>
              </div>
            ))}
          </dl>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
