import { commonFolder, nameOf, parentOf } from '../../common/names/drive-paths.ts';
import { Pace } from '../../common/timing/pace.ts';
import { messages } from '../../messages/i18n.ts';
import { notifyWithAction } from '../../ui/notifications/notify-with-action.tsx';
import type { FileEvent } from './stale-queries.ts';

/** Files that arrive within this time share one notification. */
const GATHER_MS = 2_000;
const MAX_GATHER_MS = 10_000;
/** If a sender has sent nothing for this long, the next file begins a new count. */
const TOGETHER_MS = 60_000;
/**
 * Up to this many senders get separate notifications. With more, all share one, because any visitor can
 * invent names.
 */
const MAX_SENDERS = 3;

interface Received {
  /** Null for a sender without a name, undefined for several senders. */
  readonly sender: string | null | undefined;
  readonly count: number;
  /** The folder that contains all of them. */
  readonly folder: string;
  readonly at: number;
  readonly isNew: boolean;
  /** The ids of earlier notifications, which this one replaces. */
  readonly noticeIds: readonly string[];
}

/**
 * Notifies the owner about files that visitors send through folder links. Many files share a notification.
 */
export class ReceivedFiles {
  readonly #driveName: () => string;
  readonly #onShow: (folder: string) => void;
  readonly #pace = new Pace({ firstMs: GATHER_MS, lastMs: MAX_GATHER_MS });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #all: readonly Received[] = [];

  /** @param driveName the name of the drive that receives the files */
  constructor(driveName: () => string, onShow: (folder: string) => void) {
    this.#driveName = driveName;
    this.#onShow = onShow;
  }

  add({ eventType, toPath, payload }: FileEvent): void {
    const sender = payload?.sender;
    if (eventType !== 'CREATED' || sender === undefined || toPath === null || payload?.directory === true)
      return;
    const at = performance.now();
    const received = { sender, count: 1, folder: parentOf(toPath), at, isNew: true, noticeIds: [] };
    this.#all = withFile(
      this.#all.filter((one) => at - one.at < TOGETHER_MS),
      received,
    );
    this.#timer ??= setTimeout(() => this.#notify(), this.#pace.waitMs(at));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #notify(): void {
    this.#timer = undefined;
    this.#pace.handled(performance.now());
    this.#all = this.#all.map((one) =>
      one.isNew ? { ...one, isNew: false, noticeIds: [this.#show(one)] } : one,
    );
  }

  /** @returns the id of the notification */
  #show({ sender, count, folder, noticeIds }: Received): string {
    const facts = { count, folder: nameOf(folder) || this.#driveName() };
    const text =
      typeof sender === 'string'
        ? messages.t('app.received', { ...facts, sender })
        : messages.t(sender === null ? 'app.receivedFromSomeone' : 'app.receivedFromSeveral', facts);
    return notifyWithAction(text, messages.t('app.show'), () => this.#onShow(folder), {
      replaces: noticeIds,
    });
  }
}

function withFile(all: readonly Received[], file: Received): readonly Received[] {
  const before = all.find(({ sender }) => sender === file.sender || sender === undefined);
  if (before !== undefined) return all.map((one) => (one === before ? join(one, file) : one));
  return all.length < MAX_SENDERS ? [...all, file] : [all.reduce(join, file)];
}

function join(one: Received, other: Received): Received {
  return {
    sender: one.sender === other.sender ? one.sender : undefined,
    count: one.count + other.count,
    folder: commonFolder(one.folder, other.folder),
    at: Math.max(one.at, other.at),
    isNew: true,
    noticeIds: [...one.noticeIds, ...other.noticeIds],
  };
}
