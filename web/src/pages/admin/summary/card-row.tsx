import { DataList } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '../admin.module.css';

/** A labelled fact in a card. */
export function CardRow({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue className={classes.anywhere}>{children}</DataList.ItemValue>
    </DataList.Item>
  );
}
