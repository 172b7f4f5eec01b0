import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ByteRange, parseRange } from '../base/byte-range.ts';
import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Drive, StoredFile } from '../drive/drive.ts';
import { sendByProxy, sendFile } from '../http/file-download.ts';
import type { DownloadPass } from './download-pass.ts';
import { checkUsable, isExpired, type Share } from './share.ts';
import { checkMay, type Shares } from './shares.ts';

/**
 * Sends the files of shares. A GET takes one unit of the budget when its bytes are at hand and before the first of them
 * leaves: so what sends no bytes (HEAD, 304, 416) and what fails costs nothing.
 */
export class SharedDownloads {
  readonly #shares: Shares;
  readonly #drive: Drive;
  readonly #pass: DownloadPass;
  readonly #clock: Clock;
  readonly #accelRedirect: string | undefined;

  /** @param accelRedirect the location under which a front proxy serves the objects, if there is one */
  constructor(parts: {
    shares: Shares;
    drive: Drive;
    pass: DownloadPass;
    clock: Clock;
    accelRedirect: string | undefined;
  }) {
    this.#shares = parts.shares;
    this.#drive = parts.drive;
    this.#pass = parts.pass;
    this.#clock = parts.clock;
    this.#accelRedirect = parts.accelRedirect;
  }

  /** @throws Failure `forbidden`, `expired`, `not-found`, `too-many` */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    share: Share,
    password: string | undefined,
  ): Promise<FastifyReply> {
    checkMay(share, 'download');
    const now = this.#clock.now();
    // Whoever has the pass has said the password before.
    const hasPass = this.#pass.isGood(request.headers.cookie, share, now);
    if (!hasPass) await this.#shares.checkPassword(share, password, request.ip);
    if (isExpired(share, now) || request.method === 'HEAD') checkUsable(share, now);
    if (share.place === null) throw new Failure('rejected', 'Only files are shared in this way.');
    const file = this.#drive.downloads.toFile(share.entry, share.place);
    const beforeBody = async ({ start }: Pick<ByteRange, 'start'>) => {
      // A part behind the first byte goes on with a download that was counted.
      if (hasPass && start > 0) return;
      await this.#shares.spendDownload(share);
      reply.header('set-cookie', this.#pass.toSetCookie(share, now, request.protocol === 'https'));
    };
    return await this.#sendFile(request, reply, { share, file, beforeBody });
  }

  async #sendFile(
    request: FastifyRequest,
    reply: FastifyReply,
    sent: {
      share: Share;
      file: StoredFile;
      beforeBody: (range: Pick<ByteRange, 'start'>) => Promise<void>;
    },
  ): Promise<FastifyReply> {
    const { share, file, beforeBody } = sent;
    if (request.method === 'GET') {
      const url = await this.#findStoreUrl(share, file);
      if (url !== undefined) {
        await beforeBody(startOf(request, file));
        return reply.header('cache-control', 'no-store').redirect(url, 302);
      }
    }
    if (this.#accelRedirect === undefined) return await sendFile(request, reply, file, { beforeBody });
    if (request.method === 'GET') await beforeBody(startOf(request, file));
    return sendByProxy(reply, file, `${this.#accelRedirect}${file.place.objectKey}`);
  }

  /** A store's address can be used again and again: so it is given away only where nothing is counted down. */
  async #findStoreUrl(share: Share, file: StoredFile): Promise<string | undefined> {
    if (share.maxDownloads !== null) return undefined;
    const left = share.expiresAt === null ? undefined : share.expiresAt - this.#clock.now();
    return await this.#drive.downloads.findStoreUrl(file, left);
  }
}

/** Where what is asked for begins, as a proxy or a store will read the header. */
function startOf({ headers }: FastifyRequest, { size }: StoredFile): { start: number } {
  const range = parseRange(headers.range, size);
  return { start: typeof range === 'object' ? range.start : 0 };
}
