import type { FastifyReply, FastifyRequest } from 'fastify';
import { toTimestamp } from '../base/dates.ts';
import { downloadResponses } from '../http/download/download-responses.ts';
import { sendFile } from '../http/download/file-download.ts';
import { enveloped, success } from '../http/envelope.ts';
import type { Server } from '../http/server.ts';
import { MobileRelease, ReleaseParams } from './contract.ts';
import type { Release, Releases } from './releases.ts';

const ROOT = '/api/app/android';

/** The public routes below `/api/app/android`. */
export function releaseRoutes(server: Server, releases: Releases, baseUrl: () => string): void {
  const config = { access: 'public', appPassword: 'read' } as const;
  // Caches may store the bytes, but must revalidate them for each request.
  const send = (request: FastifyRequest, reply: FastifyReply, release: Release) =>
    sendFile(request, reply, releases.toFile(release), { cacheControl: 'public, no-cache, no-transform' });

  server.get(`${ROOT}/latest`, { config, schema: { response: enveloped(MobileRelease) } }, async () => {
    const { fileName, versionName, versionCode, size, sha256, releasedAt } = await releases.getNewest();
    return success({
      downloadUrl: `${baseUrl()}${ROOT}/download/${encodeURIComponent(fileName)}`,
      fileName,
      versionName,
      versionCode,
      size,
      sha256,
      releasedAt: toTimestamp(releasedAt),
    });
  });

  server.get(
    `${ROOT}/download`,
    { config, schema: { response: downloadResponses } },
    async (request, reply) => send(request, reply, await releases.getNewest()),
  );

  server.get(
    `${ROOT}/download/:fileName`,
    { config, schema: { params: ReleaseParams, response: downloadResponses } },
    async (request, reply) => send(request, reply, await releases.get(request.params.fileName)),
  );
}
