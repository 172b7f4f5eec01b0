// The communication of each frame with the client around it.
import {
  type DocumentFault,
  type FrameNews,
  type FrameOrder,
  isFrameKey,
} from '../src/common/document-frame.ts';

/** Says why a document cannot be shown, as detailed as the client tells users. */
export class DocumentError extends Error {
  readonly reason: DocumentFault;

  constructor(reason: DocumentFault, options?: ErrorOptions) {
    super(`The document is ${reason}.`, options);
    this.name = 'DocumentError';
    this.reason = reason;
  }
}

/** Waits for the document and shows it. An error that is no `DocumentError` means that it is damaged. */
export function runFrame(show: (order: FrameOrder) => Promise<void>): void {
  const onMessage = ({ source, data }: MessageEvent) => {
    // Ignores messages that libraries send to their own page.
    if (source !== parent) return;
    removeEventListener('message', onMessage);
    void handleOrder(data, show);
  };
  addEventListener('message', onMessage);
  addEventListener('keydown', forwardKey);
  postToClient({ kind: 'ready' });
}

async function handleOrder(order: FrameOrder, show: (order: FrameOrder) => Promise<void>): Promise<void> {
  document.documentElement.lang = order.language;
  document.documentElement.dataset.scheme = order.isDark ? 'dark' : 'light';
  try {
    await show(order);
    postToClient({ kind: 'shown' });
  } catch (error) {
    document.body.replaceChildren();
    postToClient({ kind: 'failed', reason: error instanceof DocumentError ? error.reason : 'damaged' });
  }
}

/** Passes keys on to the client, except arrow keys as long as they scroll the document sideways. */
function forwardKey(event: KeyboardEvent): void {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (!isFrameKey(key) || altKey || ctrlKey || metaKey || shiftKey || event.defaultPrevented) return;
  const boxes = [document.documentElement, document.querySelector('main')];
  const isWide = boxes.some((box) => box !== null && box.scrollWidth > box.clientWidth);
  if (key !== 'Escape' && isWide) return;
  postToClient({ kind: 'key', key });
}

/** Sends to any origin: a frame without an origin cannot know that of the client. Nothing sent is secret. */
function postToClient(news: FrameNews): void {
  parent.postMessage(news, '*');
}
