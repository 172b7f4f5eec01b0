import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DownloadableFile, type DownloadOptions, planProxied, sendFile } from './file-download.ts';

/** A file that the front proxy can send. */
export interface ProxiedFile extends DownloadableFile {
  /** The path of the object in the directory of all objects; undefined if it is not on the local disk. */
  findDiskPath(): Promise<string | undefined>;
}

/**
 * Sends stored files with {@link sendFile}. If the front proxy has a location for them, the proxy sends the
 * bytes (nginx: `X-Accel-Redirect`) with the service's headers. Clients cannot tell the difference.
 * @param accelRedirect the location at which the proxy serves the objects, if there is such a proxy
 */
export function senderOf(accelRedirect: string | undefined) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    file: ProxiedFile,
    options: DownloadOptions = {},
  ): Promise<FastifyReply> => {
    const proxied = accelRedirect === undefined ? undefined : planProxied(request, file, options);
    const path = proxied && (await file.findDiskPath());
    if (proxied === undefined || path === undefined) return await sendFile(request, reply, file, options);
    await options.beforeBody?.(proxied.range);
    return reply.headers({ ...proxied.headers, 'x-accel-redirect': `${accelRedirect}${path}` }).send();
  };
}
