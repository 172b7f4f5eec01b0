import type { Server } from '../http/server.ts';
import { recycleBinRoutes } from './bin/routes.ts';
import type { Drive } from './drive.ts';
import { listingRoutes } from './listing/routes.ts';
import { starRoutes } from './stars/routes.ts';
import { timelineRoutes } from './timeline/routes.ts';
import { treeRoutes } from './tree/routes.ts';

/** Routes of the directory tree and the recycle bin. Uploads, downloads and search have their own. */
export function driveRoutes(server: Server, drive: Drive): void {
  treeRoutes(server, drive.tree);
  listingRoutes(server, drive.listing);
  recycleBinRoutes(server, drive.bin);
  starRoutes(server, drive.stars);
  timelineRoutes(server, drive.timeline);
}
