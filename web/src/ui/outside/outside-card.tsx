import { Box, Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import { LanguageChoice } from '../fields/language-choice.tsx';
import styles from './outside.module.css';

interface OutsideCardProps {
  /** Whether the card has room for content, such as a picture. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** The card of a page outside the drive, with the choice of the language at its foot. */
export function OutsideCard({ isWide = false, children }: OutsideCardProps) {
  return (
    <Paper shadow="md" radius="lg" className={styles.card} data-wide={isWide || undefined}>
      <Box p={{ base: 'md', xs: 'xl' }}>{children}</Box>
      <div className={styles.foot}>
        <LanguageChoice />
      </div>
    </Paper>
  );
}
