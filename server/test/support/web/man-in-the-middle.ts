import type { Page, Route } from 'playwright-core';

/**
 * Runs in a page of its own: it has a connection with each side of a direct transfer, instead of the one that
 * they want, and passes on what they say.
 */
const MIDDLE = `
window.middle = {
  texts: [],
  bytes: 0,
  async takeOffer(description) {
    this.toSender = new RTCPeerConnection();
    this.toReceiver = new RTCPeerConnection();
    const left = new Promise((resolve) => (this.toSender.ondatachannel = ({ channel }) => resolve(channel)));
    const right = this.toReceiver.createDataChannel('files');
    const isOpen = new Promise((resolve) => (right.onopen = resolve));
    this.relay(left, Promise.resolve(right), isOpen);
    this.relay(Promise.resolve(right), left, left);
    await this.toSender.setRemoteDescription(description);
    await this.toSender.setLocalDescription();
    this.answer = this.gathered(this.toSender);
    await this.toReceiver.setLocalDescription();
    return await this.gathered(this.toReceiver);
  },
  async takeAnswer(description) {
    await this.toReceiver.setRemoteDescription(description);
    return await this.answer;
  },
  async takeCandidates(role, candidates) {
    const peer = role === 'sender' ? this.toSender : this.toReceiver;
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
  async relay(from, to, isOpen) {
    const [source, target] = await Promise.all([from, to]);
    source.binaryType = 'arraybuffer';
    let sent = Promise.resolve();
    source.onmessage = ({ data }) => {
      if (typeof data === 'string') this.texts.push(JSON.parse(data).type);
      else this.bytes += data.byteLength;
      sent = sent.then(() => isOpen).then(() => target.send(data)).catch(() => undefined);
    };
  },
};
`;

/** What went over the connections of somebody in between. */
export interface Overheard {
  /** The types of the messages that are text. */
  readonly texts: readonly string[];
  /** Of all other messages. */
  readonly bytes: number;
}

/** Somebody who controls the signals between two pages, as an operator of the service could. */
export class ManInTheMiddle {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** @param page a page of its own, which has no part in the transfer */
  static async begin(page: Page): Promise<ManInTheMiddle> {
    await page.evaluate(MIDDLE);
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
      payload.description = await this.#run(
        role === 'sender' ? 'takeOffer' : 'takeAnswer',
        payload.description,
      );
    } else if (signal.type === 'candidates') {
      await this.#run('takeCandidates', role, payload.candidates);
      payload.candidates = [];
    }
    await route.continue({ postData: JSON.stringify(signal) });
  }

  #run(what: string, ...parts: readonly unknown[]): Promise<unknown> {
    return this.#page.evaluate(`middle.${what}(${parts.map((part) => JSON.stringify(part)).join(', ')})`);
  }
}
