import type { FastifyReply, FastifyRequest } from 'fastify';
import { toTimestamp } from '../base/dates.ts';
import { sendFile } from '../http/download/file-download.ts';
import { mount } from '../http/operation.ts';
import type { Server } from '../http/server.ts';
import { downloadNewestRelease, downloadRelease, getNewestRelease } from './contract.ts';
import type { Release, Releases } from './releases.ts';

/** The public releases of the Android app. */
export function releaseRoutes(server: Server, releases: Releases, baseUrl: () => string): void {
  // Caches may store the bytes, but must revalidate them for each request.
  const send = (request: FastifyRequest, reply: FastifyReply, release: Release) =>
    sendFile(request, reply, releases.toFile(release), { cacheControl: 'public, no-cache, no-transform' });

  mount(server, getNewestRelease, async () => {
    const { fileName, versionName, versionCode, size, sha256, releasedAt } = await releases.getNewest();
    return {
      downloadUrl: `${baseUrl()}/api/app/android/download/${encodeURIComponent(fileName)}`,
      fileName,
      versionName,
      versionCode,
      size,
      sha256,
      releasedAt: toTimestamp(releasedAt),
    };
  });

  mount(server, downloadNewestRelease, async (request, reply) =>
    send(request, reply, await releases.getNewest()),
  );

  mount(server, downloadRelease, async (request, reply) =>
    send(request, reply, await releases.get(request.params.fileName)),
  );
}
