import { Stack, Text, Title } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import type { DrawingName } from './empty-drawing.tsx';

const EmptyDrawing = lazyPart(async () => (await import('./empty-drawing.tsx')).EmptyDrawing);

/** As high as a drawing, so nothing moves when it is loaded. */
const DRAWING_HEIGHT = 92;

/** A drawing, loaded when it is shown. */
export function Drawing({ name }: { readonly name: DrawingName }) {
  return (
    <div style={{ height: DRAWING_HEIGHT, marginBottom: 12 }}>
      <Suspense fallback={null}>
        <EmptyDrawing name={name} />
      </Suspense>
    </div>
  );
}

interface EmptyNoticeProps {
  readonly drawing: DrawingName;
  readonly title: string;
  /** A button or link for what the user probably wants to do. */
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

/** Shown instead of an empty list: what it is for, and what to do. */
export function EmptyNotice({ drawing, title, action, children }: EmptyNoticeProps) {
  return (
    <Stack align="center" gap={4} py={48}>
      <Drawing name={drawing} />
      <Title order={2} size="h4" ta="center">
        {title}
      </Title>
      <Text size="sm" c="dimmed" ta="center" maw={420} component="div">
        {children}
      </Text>
      {action !== undefined && <div style={{ marginTop: 12 }}>{action}</div>}
    </Stack>
  );
}
