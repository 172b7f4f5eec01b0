import { type ComponentProps, useCallback, useState } from 'react';
import classes from '../transfer.module.css';

/** A list that scrolls if it is long. Then it can be focused, so the keyboard can scroll it. */
export function FileList(props: Pick<ComponentProps<'ul'>, 'aria-label' | 'aria-labelledby' | 'children'>) {
  const [isLong, setLong] = useState(false);
  const measure = useCallback((list: HTMLUListElement | null) => {
    if (list === null) return;
    const observer = new ResizeObserver(() => setLong(list.scrollHeight > list.clientHeight));
    observer.observe(list);
    for (const row of list.children) observer.observe(row);
    return () => observer.disconnect();
  }, []);
  return <ul ref={measure} className={classes.files} tabIndex={isLong ? 0 : undefined} {...props} />;
}
