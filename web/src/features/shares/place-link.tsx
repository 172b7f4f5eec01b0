import { useRouter } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent } from 'react';

/** A link to any location in the drive. It opens without reloading the page. */
export function PlaceLink({ href, onClick, ...props }: ComponentProps<'a'> & { href: string }) {
  const { navigate } = useRouter();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    void navigate({ href });
  };
  return <a {...props} href={href} onClick={follow} />;
}
