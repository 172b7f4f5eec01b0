import { createContext, type ReactNode, use } from 'react';
import { createPortal } from 'react-dom';

/** The end of the title's line. Null until it is on the page. */
export const ActionsPlace = createContext<HTMLElement | null>(null);

/** Shows the actions of a part of a page at the end of the page's title. */
export function PageActions({ children }: { readonly children: ReactNode }) {
  const place = use(ActionsPlace);
  return place === null ? null : createPortal(children, place);
}
