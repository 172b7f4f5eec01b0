import {
  IconAdjustments,
  IconChartBar,
  IconDatabase,
  IconFiles,
  IconFolderShare,
  IconHistory,
  IconListCheck,
  IconServer,
  IconShare,
  IconTicket,
  IconUsers,
} from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';
import type { PartName } from './part-names.ts';

/** The parts of the administration. Each is loaded when it is opened for the first time. */
export const PARTS = {
  summary: {
    Icon: IconChartBar,
    Part: part(async () => (await import('./summary/summary-part.tsx')).SummaryPart),
  },
  users: { Icon: IconUsers, Part: part(async () => (await import('./users/users-part.tsx')).UsersPart) },
  invites: {
    Icon: IconTicket,
    Part: part(async () => (await import('./invites/invites-part.tsx')).InvitesPart),
  },
  files: { Icon: IconFiles, Part: part(async () => (await import('./files-part.tsx')).FilesPart) },
  shares: { Icon: IconShare, Part: part(async () => (await import('./shares-part.tsx')).SharesPart) },
  'folder-links': {
    Icon: IconFolderShare,
    Part: part(async () => (await import('./folder-links-part.tsx')).FolderLinksPart),
  },
  tasks: { Icon: IconListCheck, Part: part(async () => (await import('./tasks-part.tsx')).TasksPart) },
  blobs: { Icon: IconDatabase, Part: part(async () => (await import('./blobs-part.tsx')).BlobsPart) },
  policies: {
    Icon: IconServer,
    Part: part(async () => (await import('./storage/policies-part.tsx')).PoliciesPart),
  },
  settings: {
    Icon: IconAdjustments,
    Part: part(async () => (await import('./settings-part.tsx')).SettingsPart),
  },
  audits: { Icon: IconHistory, Part: part(async () => (await import('./audits-part.tsx')).AuditsPart) },
} satisfies Record<PartName, { Icon: ComponentType; Part: ComponentType }>;

function part(load: () => Promise<ComponentType>) {
  return lazy(async () => ({ default: await load() }));
}
