import { Box, Group, Paper, Table, Text, Title, Tooltip } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../messages/formats.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import classes from '../admin.module.css';
import { ticksUpTo } from './ticks.ts';

export interface Bar {
  readonly label: string;
  /** Undefined for future values. */
  readonly value: number | undefined;
  /** A text about the parts of the number. */
  readonly more?: string;
}

interface Chart {
  readonly title: string;
  /** A sentence that summarises the chart. */
  readonly text: string;
  readonly bars: readonly Bar[];
  /** The number of labels that are skipped between two. */
  readonly labelEvery: number;
  /** The headings of the table. */
  readonly headings: readonly string[];
}

const HEIGHT = 200;
const TOP = 10;
const BOTTOM = 24;
const LEFT = 40;
const GAP = 0.25;
const MAX_LETTERS = 200;

/** Numbers as bars, or as a table. */
export function BarChart(chart: Chart) {
  const { t } = useTranslation();
  const [isTable, setTable] = useState(false);
  const Icon = isTable ? IconChartBar : IconTable;
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" wrap="nowrap" mt={-8} mb="xs">
        <Title order={2} size="h5">
          {chart.title}
        </Title>
        <IconButton
          variant="subtle"
          color="gray"
          size={40}
          label={t('admin.summary.asTable', { title: chart.title })}
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          <Icon size={18} aria-hidden />
        </IconButton>
      </Group>
      {isTable ? <NumbersTable {...chart} /> : <Bars {...chart} />}
    </Paper>
  );
}

function Bars({ text, bars, labelEvery }: Chart) {
  const { ref, width } = useElementSize();
  const ticks = ticksUpTo(Math.max(0, ...bars.map(({ value = 0 }) => value)));
  const most = ticks.at(-1) ?? 1;
  const slot = Math.max(0, width - LEFT) / bars.length;
  const yOf = (value: number) => TOP + (1 - value / most) * (HEIGHT - TOP - BOTTOM);
  return (
    <Box ref={ref} h={HEIGHT}>
      <svg role="img" aria-label={text} width={width} height={HEIGHT}>
        {ticks.map((tick) => (
          <g key={tick} className={classes.gridline}>
            <line x1={LEFT} x2={width} y1={yOf(tick)} y2={yOf(tick)} />
            <text className={classes.tick} stroke="none" x={LEFT - 8} y={yOf(tick) + 4} textAnchor="end">
              {formatNumber(tick)}
            </text>
          </g>
        ))}
        {bars.map(({ label, value, more }, index) => {
          const x = LEFT + index * slot;
          return (
            <g key={label}>
              {value !== undefined && (
                <Tooltip label={tooltipOf(label, value, more)} multiline maw={280}>
                  <rect className={classes.slot} x={x} y={TOP} width={slot} height={HEIGHT - TOP - BOTTOM} />
                </Tooltip>
              )}
              {value !== undefined && value > 0 && (
                <rect
                  className={classes.bar}
                  pointerEvents="none"
                  x={x + (slot * GAP) / 2}
                  y={yOf(value)}
                  width={slot * (1 - GAP)}
                  height={yOf(0) - yOf(value)}
                  rx={Math.min(3, slot / 6)}
                />
              )}
              {index % labelEvery === 0 && (
                <text className={classes.tick} x={x + slot / 2} y={HEIGHT - 6} textAnchor="middle">
                  {label}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </Box>
  );
}

/** The tooltip of a bar. Screen readers get the table instead. */
function tooltipOf(label: string, value: number, more = ''): string {
  const text = `${label}: ${formatNumber(value)}`;
  if (more === '') return text;
  return more.length > MAX_LETTERS ? `${text} (${more.slice(0, MAX_LETTERS)}…)` : `${text} (${more})`;
}

function NumbersTable({ title, bars, headings }: Chart) {
  return (
    <Table.ScrollContainer minWidth={0} mah={HEIGHT * 2} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={title} tabularNums verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            {headings.map((heading) => (
              <Table.Th key={heading} scope="col">
                {heading}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bars.map(
            ({ label, value, more }) =>
              value !== undefined && (
                <Table.Tr key={label}>
                  <Table.Th scope="row" className={classes.label}>
                    {label}
                  </Table.Th>
                  <Table.Td>{formatNumber(value)}</Table.Td>
                  {headings.length > 2 && (
                    <Table.Td className={classes.anywhere}>
                      <Text size="sm">{more}</Text>
                    </Table.Td>
                  )}
                </Table.Tr>
              ),
          )}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
