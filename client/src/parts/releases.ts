import { type Download, type DownloadOptions, openDownload } from '../downloads/download.ts';
import type { MobileRelease } from '../generated/records.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';

/** Packages of the app for phones. Every call is public. */
export class Releases {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** The newest package. `NotFoundError` if there is none. @throws HoldallError */
  latest(options: CallOptions = {}): Promise<MobileRelease> {
    return this.#requester.ask('GET /api/app/android/latest', {}, options);
  }

  /** Begins the download of the newest package. @throws HoldallError */
  openLatest(options: DownloadOptions = {}): Promise<Download> {
    return openDownload(
      (request) => this.#requester.open('GET /api/app/android/download', {}, request),
      options,
    );
  }

  /** Begins the download of the package with this file name. @throws HoldallError */
  open(fileName: string, options: DownloadOptions = {}): Promise<Download> {
    const path = { fileName };
    return openDownload(
      (request) => this.#requester.open('GET /api/app/android/download/{fileName}', { path }, request),
      options,
    );
  }
}
