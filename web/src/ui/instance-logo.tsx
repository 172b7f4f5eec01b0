import { Image } from '@mantine/core';
import { useInstance } from '../api/use-instance.ts';

/** The logo of the instance. Decorative, because its name is next to it. */
export function InstanceLogo({ size }: { readonly size: number }) {
  const { logoUrl } = useInstance();
  return <Image src={logoUrl ?? '/web/icon.svg'} w={size} h={size} fit="contain" alt="" />;
}
