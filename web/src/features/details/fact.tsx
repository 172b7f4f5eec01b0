import type { ReactNode } from 'react';

interface FactProps {
  readonly name: string;
  /** The exact value, shown as a tooltip. */
  readonly title?: string | null | undefined;
  readonly children: ReactNode;
}

/** A line in a list of facts. */
export function Fact({ name, title, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd title={title ?? undefined}>{children}</dd>
    </div>
  );
}
