import type { Server } from '../../../src/http/server.ts';

type MountedRoute = ReturnType<Server['listMountedRoutes']>[number];

/** The pages and files of the web client, which are there where it is built. */
const OF_CLIENT =
  /^\/(?:(?:drive|recent|search|bin|shared|tasks|profile|admin|login|register|s|l|transfer)(?:\/\*)?|(?:assets|web)\/\*)$/;

/** What is mounted for programs: all but the pages of the web client and of the description. */
export function listApiRoutes(server: Server): readonly MountedRoute[] {
  return server.listMountedRoutes().filter(({ url }) => !url.startsWith('/api/docs') && !OF_CLIENT.test(url));
}
