import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange } from '../base/bytes/byte-range.ts';
import type { Clock } from '../base/clock.ts';
import type { Drive, StoredFile } from '../drive/drive.ts';
import { requesterOf } from '../http/caller.ts';
import { rangeToSend, sendFile } from '../http/download/file-download.ts';
import { senderOf } from '../http/download/file-sender.ts';
import type { LinkCookie } from '../links/links.ts';
import { ResumeBudgets } from './resume-budget.ts';
import { checkNotExpired, checkUsable, type Share } from './share.ts';
import { checkAllows, type Shares } from './shares.ts';

interface SharedDownloadsParts {
  readonly shares: Shares;
  readonly drive: Drive;
  readonly downloadCookie: LinkCookie;
  readonly passwordCookie: LinkCookie;
  readonly clock: Clock;
  readonly accelRedirect: string | undefined;
}

/**
 * Sends the file of a share, for `?download`. A GET spends one download of the share's budget after the file
 * was opened and before its first byte is sent. So responses without bytes (HEAD, 304, 412, 416) cost
 * nothing. A download that fails before its first byte is refunded.
 */
export class SharedDownloads {
  readonly #parts: SharedDownloadsParts;
  readonly #resumeBudgets = new ResumeBudgets();
  readonly #send: ReturnType<typeof senderOf>;

  /**
   * @param parts.downloadCookie proves that the download was counted
   * @param parts.passwordCookie proves that the password was entered
   * @param parts.accelRedirect the location at which a reverse proxy serves the objects, if one is configured
   */
  constructor(parts: SharedDownloadsParts) {
    this.#parts = parts;
    this.#send = senderOf(parts.accelRedirect);
  }

  /** @throws Failure `forbidden`, `expired`, `not-found`, `too-many` */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    share: Share,
    password: string | undefined,
  ): Promise<FastifyReply> {
    checkAllows(share, 'download');
    if (share.location === null) throw new Error(`The share ${share.id} has no bytes.`);
    const file = this.#parts.drive.downloads.toFile(share.entry, share.location);
    const range = rangeToSend(request, file);
    const isContinued = this.#continues(request, reply, share, file, range);
    if (!isContinued && !this.#hasPasswordCookie(request, share, password)) {
      await this.#parts.shares.checkPassword(share, password, requesterOf(request));
    }
    const now = this.#parts.clock.now();
    if (isContinued) checkNotExpired(share, now);
    else checkUsable(share, now);
    return await this.#sendFile(request, reply, { share, file, range, isContinued });
  }

  /**
   * Whether the request continues a download that was counted, and whose password was checked. It must
   * request a range after the first byte, with that download's cookie and within the cookie's budget.
   */
  #continues(
    request: FastifyRequest,
    reply: FastifyReply,
    share: Share,
    file: StoredFile,
    range: ByteRange | undefined,
  ): boolean {
    const cookie = this.#parts.downloadCookie.findValid(
      request.headers.cookie,
      share,
      this.#parts.clock.now(),
    );
    if (cookie === undefined) return false;
    if (request.method === 'HEAD') return true;
    if (range === undefined || range.start === 0) return false;
    const rangeBytes = range.end - range.start + 1;
    const giveBack = this.#resumeBudgets.spend(cookie, file.size, rangeBytes);
    if (giveBack === undefined) return false;
    const { socket } = request.raw;
    const before = socket.bytesWritten;
    reply.raw.once('close', () => giveBack(Math.max(0, rangeBytes - (socket.bytesWritten - before))));
    return true;
  }

  /** Whether the cookie replaces the password. A password in the request is always checked instead. */
  #hasPasswordCookie(request: FastifyRequest, share: Share, password: string | undefined): boolean {
    return (
      !password && this.#parts.passwordCookie.isValid(request.headers.cookie, share, this.#parts.clock.now())
    );
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
      await this.#parts.shares.spendDownload(share);
      isSpent = true;
      const isSecure = request.protocol === 'https';
      reply.header(
        'set-cookie',
        this.#parts.downloadCookie.toSetCookie(share, this.#parts.clock.now(), isSecure),
      );
    };
    try {
      if (range === undefined || share.maxDownloads !== null) {
        return await sendFile(request, reply, file, { beforeBody: spend });
      }
      return await this.#delegate(request, reply, { share, file, spend });
    } catch (error) {
      // Errors arrive here only before the first byte is sent. After that the connection is closed instead.
      if (isSpent) {
        reply.removeHeader('set-cookie');
        await this.#parts.shares.refundDownload(share);
      }
      throw error;
    }
  }

  /**
   * Lets the store or the reverse proxy send the bytes, if one of them can. The client could use the store's
   * URL more than once, so this is only for shares without a download limit.
   */
  async #delegate(
    request: FastifyRequest,
    reply: FastifyReply,
    { share, file, spend }: { share: Share; file: StoredFile; spend: () => Promise<void> },
  ): Promise<FastifyReply> {
    const url = await this.#parts.drive.downloads.findStoreUrl(file, share.expiresAt ?? undefined);
    if (url === undefined) return await this.#send(request, reply, file, { beforeBody: spend });
    await spend();
    return reply.header('cache-control', 'no-store').redirect(url, 302);
  }
}
