import { Box } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { PartNavigation, type PartNavigationProps } from './part-navigation.tsx';
import classes from './parts.module.css';

interface PartAreaProps extends PartNavigationProps {
  readonly children: ReactNode;
}

/** A page that consists of parts, with the navigation between them. */
export function PartArea({ children, ...navigation }: PartAreaProps) {
  return (
    <div className={classes.area}>
      <PartNavigation {...navigation} />
      {/* The key gives each part its own boundary, so a part is never shown under another's name. */}
      <Suspense key={navigation.current} fallback={<Box mih="60vh" />}>
        <div className={classes.content}>{children}</div>
      </Suspense>
    </div>
  );
}
