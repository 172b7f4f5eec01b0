import type { Page, Route } from 'playwright-core';

/**
 * Runs in a separate page. It opens a connection with each side of a direct transfer, in place of the one
 * between them, and relays their messages.
 */
const MIDDLE_SCRIPT = `
window.middle = {
  texts: [],
  bytes: 0,
  // By attempt number, because on a slow machine the pages begin another attempt before this one has ended.
  attempts: new Map(),
  async takeOffer(number, description) {
    const toSender = new RTCPeerConnection();
    const toReceiver = new RTCPeerConnection();
    const attempt = { toSender, toReceiver, answer: undefined };
    this.attempts.set(number, attempt);
    const left = new Promise((resolve) => (toSender.ondatachannel = ({ channel }) => resolve(channel)));
    const right = Promise.resolve(toReceiver.createDataChannel('files'));
    this.relay(left, right);
    this.relay(right, left);
    await toSender.setRemoteDescription(description);
    await toSender.setLocalDescription();
    attempt.answer = this.gathered(toSender);
    await toReceiver.setLocalDescription();
    return await this.gathered(toReceiver);
  },
  async takeAnswer(number, description) {
    const { toReceiver, answer } = this.attempts.get(number);
    await toReceiver.setRemoteDescription(description);
    return await answer;
  },
  async takeCandidates(number, role, candidates) {
    const attempt = this.attempts.get(number);
    const peer = role === 'sender' ? attempt.toSender : attempt.toReceiver;
    for (const candidate of candidates) await peer.addIceCandidate(candidate);
  },
  async gathered(peer) {
    if (peer.iceGatheringState !== 'complete') {
      await new Promise((resolve) => {
        peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && resolve();
      });
    }
    return peer.localDescription.toJSON();
  },
  // Listens before the other side is connected, so the first message is not lost.
  async relay(from, to) {
    const source = await from;
    const target = to.then((channel) => this.opened(channel));
    let sent = target;
    source.binaryType = 'arraybuffer';
    source.onmessage = ({ data }) => {
      if (typeof data === 'string') this.texts.push(JSON.parse(data).type);
      else this.bytes += data.byteLength;
      sent = sent.then(async () => (await target).send(data)).catch(() => undefined);
    };
  },
  async opened(channel) {
    if (channel.readyState === 'connecting') await new Promise((resolve) => (channel.onopen = resolve));
    return channel;
  },
};
`;

/** What the man in the middle has relayed. */
interface Overheard {
  /** The types of the messages that are text. */
  readonly texts: readonly string[];
  /** The number of bytes of all other messages. */
  readonly bytes: number;
}

/** An attacker who controls the signals between two pages, as an operator of the service could. */
export class ManInTheMiddle {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** @param page a separate page that takes no part in the transfer */
  static async begin(page: Page): Promise<ManInTheMiddle> {
    await page.evaluate(MIDDLE_SCRIPT);
    return new ManInTheMiddle(page);
  }

  /** Replaces what a page says about its connection. */
  async attack(page: Page, role: 'sender' | 'receiver'): Promise<void> {
    await page.route(/\/signals(?:\?|$)/, async (route) => {
      if (route.request().method() === 'POST') await this.#replace(route, role);
      else await route.continue();
    });
  }

  async overhear(): Promise<Overheard> {
    return await this.#page.evaluate<Overheard>('({ texts: middle.texts, bytes: middle.bytes })');
  }

  async #replace(route: Route, role: 'sender' | 'receiver'): Promise<void> {
    const signal = route.request().postDataJSON();
    const { payload } = signal;
    if (signal.type === 'description') {
      const what = role === 'sender' ? 'takeOffer' : 'takeAnswer';
      payload.description = await this.#run(what, payload.attempt, payload.description);
    } else if (signal.type === 'candidates') {
      await this.#run('takeCandidates', payload.attempt, role, payload.candidates);
      payload.candidates = [];
    }
    await route.continue({ postData: JSON.stringify(signal) });
  }

  #run(what: string, ...parts: readonly unknown[]): Promise<unknown> {
    return this.#page.evaluate(`middle.${what}(${parts.map((part) => JSON.stringify(part)).join(', ')})`);
  }
}
