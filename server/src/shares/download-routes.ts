import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange } from '../base/bytes/byte-range.ts';
import type { Clock } from '../base/clock.ts';
import type { Drive, StoredFile } from '../drive/drive.ts';
import { rangeToSend, sendByProxy, sendFile } from '../http/download/file-download.ts';
import { checkNotExpired, checkUsable, type Share } from './share.ts';
import type { ShareCookie } from './share-cookie.ts';
import { checkAllows, type Shares } from './shares.ts';

/**
 * What the route of a share does with `?download`: it sends the file. A GET takes one unit of the budget when its bytes
 * are at hand and before the first of them leaves: so what sends no bytes (HEAD, 304, 412, 416) costs nothing, and what
 * fails gives its unit back.
 */
export class SharedDownloads {
  readonly #shares: Shares;
  readonly #drive: Drive;
  readonly #downloadCookie: ShareCookie;
  readonly #passwordCookie: ShareCookie;
  readonly #clock: Clock;
  readonly #accelRedirect: string | undefined;

  /**
   * @param downloadCookie of downloads that were begun
   * @param passwordCookie of those who have said the password
   * @param accelRedirect the location under which a front proxy serves the objects, if there is one
   */
  constructor(parts: {
    shares: Shares;
    drive: Drive;
    downloadCookie: ShareCookie;
    passwordCookie: ShareCookie;
    clock: Clock;
    accelRedirect: string | undefined;
  }) {
    this.#shares = parts.shares;
    this.#drive = parts.drive;
    this.#downloadCookie = parts.downloadCookie;
    this.#passwordCookie = parts.passwordCookie;
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
    checkAllows(share, 'download');
    if (share.place === null) throw new Error(`The share ${share.id} has no bytes.`);
    const file = this.#drive.downloads.toFile(share.entry, share.place);
    const range = rangeToSend(request, file);
    const hasDownloadCookie = this.#downloadCookie.isValid(request.headers.cookie, share, this.#clock.now());
    // A part behind the first byte goes on with a download that was counted, and for which the password was said.
    const isContinued =
      hasDownloadCookie && (request.method === 'HEAD' || (range !== undefined && range.start > 0));
    if (!isContinued && !this.#hasPasswordCookie(request, share, password)) {
      await this.#shares.checkPassword(share, password, request.ip);
    }
    const now = this.#clock.now();
    if (isContinued) checkNotExpired(share, now);
    else checkUsable(share, now);
    return await this.#sendFile(request, reply, { share, file, range, isContinued });
  }

  /** A password that is sent along is looked at, whatever was said before. */
  #hasPasswordCookie(request: FastifyRequest, share: Share, password: string | undefined): boolean {
    return !password && this.#passwordCookie.isValid(request.headers.cookie, share, this.#clock.now());
  }

  async #sendFile(
    request: FastifyRequest,
    reply: FastifyReply,
    sent: { share: Share; file: StoredFile; range: ByteRange | undefined; isContinued: boolean },
  ): Promise<FastifyReply> {
    const { share, file, range, isContinued } = sent;
    let isSpent = false;
    const spend = async () => {
      if (isContinued) return;
      await this.#shares.spendDownload(share);
      isSpent = true;
      const isSecure = request.protocol === 'https';
      reply.header('set-cookie', this.#downloadCookie.toSetCookie(share, this.#clock.now(), isSecure));
    };
    try {
      if (range === undefined || share.maxDownloads !== null) {
        return await sendFile(request, reply, file, { beforeBody: spend });
      }
      return await this.#sendFromElsewhere(request, reply, { share, file, spend });
    } catch (error) {
      // Fails only while nothing has left; what breaks later is a cut connection.
      if (isSpent) {
        reply.removeHeader('set-cookie');
        await this.#shares.refundDownload(share);
      }
      throw error;
    }
  }

  /**
   * To the store or to the proxy, if there is one that sends the bytes. What they are told can be used again and again,
   * so it is only for shares where nothing is counted down.
   */
  async #sendFromElsewhere(
    request: FastifyRequest,
    reply: FastifyReply,
    { share, file, spend }: { share: Share; file: StoredFile; spend: () => Promise<void> },
  ): Promise<FastifyReply> {
    const url = await this.#drive.downloads.findStoreUrl(file, share.expiresAt ?? undefined);
    if (url === undefined && this.#accelRedirect === undefined) {
      return await sendFile(request, reply, file, { beforeBody: spend });
    }
    await spend();
    if (url !== undefined) return reply.header('cache-control', 'no-store').redirect(url, 302);
    return sendByProxy(reply, file, `${this.#accelRedirect}${await file.findPath()}`);
  }
}
