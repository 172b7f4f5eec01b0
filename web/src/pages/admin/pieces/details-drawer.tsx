import { DataList, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Panel } from '../../../ui/dialogs/panel.tsx';
import classes from '../admin.module.css';

/** All known facts about a row. Facts without a value are omitted. */
export function DetailsDrawer(parts: {
  title: string;
  facts: readonly (readonly [label: string, value: ReactNode])[];
  /** Additional data, shown as JSON without labels. */
  json?: { readonly title: string; readonly value: object };
  children?: ReactNode;
  onClose: () => void;
}) {
  const { title, facts, json, children, onClose } = parts;
  return (
    <Panel onClose={onClose} title={title} classNames={{ title: classes.drawerTitle }}>
      <Stack>
        {children}
        <DataList withDivider labelWidth={130}>
          {facts
            .filter(([, value]) => value !== null)
            .map(([label, value]) => (
              <DataList.Item key={label}>
                <DataList.ItemLabel>{label}</DataList.ItemLabel>
                <DataList.ItemValue className={classes.anywhere}>{value}</DataList.ItemValue>
              </DataList.Item>
            ))}
        </DataList>
        {json !== undefined && Object.keys(json.value).length > 0 && (
          <section aria-label={json.title}>
            <Title order={3} size="h5" mb={4}>
              {json.title}
            </Title>
            <pre className={classes.json}>{JSON.stringify(json.value, undefined, 2)}</pre>
          </section>
        )}
      </Stack>
    </Panel>
  );
}
