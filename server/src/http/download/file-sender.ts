import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DownloadableFile, sendByProxy, sendFile } from './file-download.ts';

/** A file that the front proxy can send. */
export interface ProxiedFile extends DownloadableFile {
  /** The path at which the proxy finds the object, relative to the directory of all objects. */
  findPath(): Promise<string>;
}

/**
 * Sends stored files, by the front proxy if it has a location for them.
 * @param accelRedirect the location at which the proxy serves the objects, if there is such a proxy
 */
export function senderOf(accelRedirect: string | undefined) {
  return async (request: FastifyRequest, reply: FastifyReply, file: ProxiedFile): Promise<FastifyReply> =>
    accelRedirect === undefined
      ? await sendFile(request, reply, file)
      : sendByProxy(reply, file, `${accelRedirect}${await file.findPath()}`);
}
