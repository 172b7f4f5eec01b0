import { useLayoutEffect, useState } from 'react';

/** An address for bytes that an element shows, as long as it shows them. Set before the browser paints. */
export function useObjectUrl(bytes: Blob | null | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useLayoutEffect(() => {
    if (!bytes) return setAddress(undefined);
    const made = URL.createObjectURL(bytes);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);
  return address;
}
