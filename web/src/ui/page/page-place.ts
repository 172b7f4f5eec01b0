import { createContext, type ReactNode } from 'react';

/** What the page belongs to, such as a shared drive. It is shown after the title. */
export const PagePlace = createContext<ReactNode>(null);
