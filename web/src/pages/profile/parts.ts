import { IconDevices, IconPlugConnected, IconShieldLock, IconUserCircle } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import type { PartName } from './part-names.ts';

/** The parts of the settings, in the order of their links. Each is loaded when it is first opened. */
export const PARTS = {
  profile: {
    Icon: IconUserCircle,
    Part: lazyPart(async () => (await import('./about/about-part.tsx')).AboutPart),
  },
  security: {
    Icon: IconShieldLock,
    Part: lazyPart(async () => (await import('./security/security-part.tsx')).SecurityPart),
  },
  devices: {
    Icon: IconDevices,
    Part: lazyPart(async () => (await import('./devices/devices-part.tsx')).DevicesPart),
  },
  apps: {
    Icon: IconPlugConnected,
    Part: lazyPart(async () => (await import('./apps/apps-part.tsx')).AppsPart),
  },
} satisfies Record<PartName, { Icon: ComponentType; Part: ComponentType }>;
