import { isWithin, nameOf, parentOf, ROOT } from '../../common/names/drive-paths.ts';
import { Pace } from '../../common/timing/pace.ts';
import { messages } from '../../messages/i18n.ts';
import { notifyWithAction } from '../../ui/notifications/notify-with-action.tsx';
import type { FileEvent } from './touched.ts';

/** Files within this time are one notification. */
const GATHER_MS = 2_000;
const MAX_GATHER_MS = 10_000;
/** After this time without a file of a sender, the next one begins a new count. */
const TOGETHER_MS = 60_000;

interface Received {
  readonly sender: string | null;
  count: number;
  /** The folder that contains all of them. */
  folder: string;
  at: number;
  isNew: boolean;
  noticeId?: string;
}

/** Notifies the owner of files that visitors send through folder links, once for many files. */
export class ReceivedFiles {
  readonly #onShow: (folder: string) => void;
  readonly #pace = new Pace({ firstMs: GATHER_MS, lastMs: MAX_GATHER_MS });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #all: readonly Received[] = [];

  constructor(onShow: (folder: string) => void) {
    this.#onShow = onShow;
  }

  add({ eventType, toPath, payload }: FileEvent): void {
    const sender = payload?.sender;
    if (eventType !== 'CREATED' || sender === undefined || toPath === null || payload?.directory === true)
      return;
    const at = performance.now();
    const folder = parentOf(toPath);
    this.#all = this.#all.filter((one) => at - one.at < TOGETHER_MS);
    const before = this.#all.find((one) => one.sender === sender);
    if (before === undefined) this.#all = [...this.#all, { sender, count: 1, folder, at, isNew: true }];
    else {
      before.count += 1;
      before.folder = commonFolder(before.folder, folder);
      Object.assign(before, { at, isNew: true });
    }
    this.#timer ??= setTimeout(() => this.#notify(), this.#pace.waitMs(at));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #notify(): void {
    this.#timer = undefined;
    this.#pace.handled(performance.now());
    for (const received of this.#all.filter(({ isNew }) => isNew)) {
      const { sender, count, folder } = received;
      received.isNew = false;
      const name = nameOf(folder) || messages.t('nav.drive');
      const text = sender === null ? 'app.receivedFromSomeone' : 'app.received';
      received.noticeId = notifyWithAction(
        messages.t(text, { count, folder: name, sender }),
        messages.t('app.show'),
        () => this.#onShow(folder),
        { ...(received.noticeId !== undefined && { replaces: received.noticeId }) },
      );
    }
  }
}

function commonFolder(one: string, other: string): string {
  let folder = one;
  while (folder !== ROOT && !isWithin(other, folder)) folder = parentOf(folder);
  return folder;
}
