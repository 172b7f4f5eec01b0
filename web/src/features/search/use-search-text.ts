import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

/** Whoever stops typing for so long wants to see what there is. */
const PAUSE_MS = 250;

/** What is looked for: in the box, and a moment later in the address of the page with what was found. */
export function useSearchText() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const isOnPage = pathname === '/search';
  const sought = isOnPage && 'q' in search ? String(search.q) : '';
  const [text, setText] = useState(sought);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const written = useRef(sought);

  // The address changes by other ways too: back, forward, another page.
  useEffect(() => {
    if (written.current === sought) return;
    written.current = sought;
    clearTimeout(timer.current);
    setText(sought);
  }, [sought]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const goTo = (q: string) => {
    clearTimeout(timer.current);
    if (q === '' && !isOnPage) return;
    written.current = q;
    // One step back leads to where one was before the search, however many letters it took.
    void navigate({ to: '/search', search: { q }, replace: isOnPage });
  };
  return {
    text,
    type: (value: string) => {
      setText(value);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => goTo(value), PAUSE_MS);
    },
    go: () => goTo(text),
  };
}
