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
  IconUsersGroup,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import type { PartName } from './part-names.ts';

/** The parts of the administration. Each is loaded when it is first opened. */
export const PARTS = {
  summary: {
    Icon: IconChartBar,
    Part: lazyPart(async () => (await import('./summary/summary-part.tsx')).SummaryPart),
  },
  users: { Icon: IconUsers, Part: lazyPart(async () => (await import('./users/users-part.tsx')).UsersPart) },
  invites: {
    Icon: IconTicket,
    Part: lazyPart(async () => (await import('./invites/invites-part.tsx')).InvitesPart),
  },
  drives: {
    Icon: IconUsersGroup,
    Part: lazyPart(async () => (await import('./drives/drives-part.tsx')).DrivesPart),
  },
  files: { Icon: IconFiles, Part: lazyPart(async () => (await import('./files-part.tsx')).FilesPart) },
  shares: {
    Icon: IconShare,
    Part: lazyPart(async () => (await import('./links/shares-part.tsx')).SharesPart),
  },
  'folder-links': {
    Icon: IconFolderShare,
    Part: lazyPart(async () => (await import('./links/folder-links-part.tsx')).FolderLinksPart),
  },
  tasks: {
    Icon: IconListCheck,
    Part: lazyPart(async () => (await import('./tasks/tasks-part.tsx')).TasksPart),
  },
  blobs: {
    Icon: IconDatabase,
    Part: lazyPart(async () => (await import('./blobs/blobs-part.tsx')).BlobsPart),
  },
  policies: {
    Icon: IconServer,
    Part: lazyPart(async () => (await import('./storage/policies-part.tsx')).PoliciesPart),
  },
  settings: {
    Icon: IconAdjustments,
    Part: lazyPart(async () => (await import('./settings/settings-part.tsx')).SettingsPart),
  },
  audits: { Icon: IconHistory, Part: lazyPart(async () => (await import('./audits-part.tsx')).AuditsPart) },
} satisfies Record<PartName, { Icon: ComponentType; Part: ComponentType }>;
