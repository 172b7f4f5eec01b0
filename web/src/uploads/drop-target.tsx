import type { ReactNode } from 'react';

/** Takes files and folders that are dropped upon it, into the directory. */
export function DropTarget({ children }: { readonly path: string; readonly children: ReactNode }) {
  return children;
}
