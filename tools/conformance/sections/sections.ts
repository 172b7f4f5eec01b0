import type { Section } from '../suite.ts';
import { accounts } from './accounts.ts';
import { administration, storagePolicies } from './administration.ts';
import { avatars } from './avatars.ts';
import { downloads, drive } from './drive.ts';
import { envelope } from './envelope.ts';
import { events } from './events.ts';
import { recycleBin } from './recycle-bin.ts';
import { releases } from './releases.ts';
import { search } from './search.ts';
import { shareLinks, shares } from './shares.ts';
import { tasks } from './tasks.ts';
import { transfer } from './transfer.ts';
import { uploadSessions } from './upload-sessions.ts';

/** All sections, in the order of `docs/api.md`. */
export const SECTIONS: readonly Section[] = [
  envelope,
  accounts,
  avatars,
  drive,
  downloads,
  recycleBin,
  uploadSessions,
  search,
  events,
  shares,
  shareLinks,
  tasks,
  transfer,
  administration,
  storagePolicies,
  releases,
];
