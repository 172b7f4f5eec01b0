// The part of each frame that talks to the client around it.
import {
  type DocumentFault,
  type FrameNews,
  type FrameOrder,
  isFrameKey,
} from '../src/common/document-frame.ts';

/** Why a document cannot be shown, as far as the client tells users about it. */
export class DocumentError extends Error {
  readonly reason: DocumentFault;

  constructor(reason: DocumentFault, options?: ErrorOptions) {
    super(`The document is ${reason}.`, options);
    this.name = 'DocumentError';
    this.reason = reason;
  }
}

/**
 * Waits for the document and shows it. Any error that the format raises means that the document is damaged.
 */
export function runFrame(show: (order: FrameOrder) => Promise<void>): void {
  const onMessage = ({ source, data }: MessageEvent) => {
    // Libraries send messages to their own page.
    if (source !== parent) return;
    removeEventListener('message', onMessage);
    void take(data, show);
  };
  addEventListener('message', onMessage);
  addEventListener('keydown', forwardKey);
  say({ kind: 'ready' });
}

async function take(order: FrameOrder, show: (order: FrameOrder) => Promise<void>): Promise<void> {
  document.documentElement.lang = order.language;
  document.documentElement.dataset.scheme = order.isDark ? 'dark' : 'light';
  try {
    await show(order);
    say({ kind: 'shown' });
  } catch (error) {
    document.body.replaceChildren();
    say({ kind: 'failed', reason: error instanceof DocumentError ? error.reason : 'damaged' });
  }
}

/** The arrows move in the document as long as it can be moved sideways. */
function forwardKey(event: KeyboardEvent): void {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (!isFrameKey(key) || altKey || ctrlKey || metaKey || shiftKey || event.defaultPrevented) return;
  const boxes = [document.documentElement, document.querySelector('main')];
  const isWide = boxes.some((box) => box !== null && box.scrollWidth > box.clientWidth);
  if (key !== 'Escape' && isWide) return;
  say({ kind: 'key', key });
}

/** The frame has no origin of its own, so it cannot name that of the client. It says nothing secret. */
function say(news: FrameNews): void {
  parent.postMessage(news, '*');
}
