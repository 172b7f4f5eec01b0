// Offers from the user's other devices to this one, as reported by the event stream.
import { useSyncExternalStore } from 'react';
import type { DevicesMessage } from '../../api/contract.ts';

export type DeviceOffer = DevicesMessage['offers'][number];

let offers: readonly DeviceOffer[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/**
 * Replaces the offers, because each message contains all of them. Times are those of the service's clock, not
 * of this machine's.
 */
export function setOffers({ offers: all, createdAt }: DevicesMessage): void {
  const now = Date.parse(createdAt);
  const receivedAt = Date.now();
  const msLeft = ({ expiresAt }: DeviceOffer) => Date.parse(expiresAt) - now - (Date.now() - receivedAt);
  const show = () => {
    clearTimeout(timer);
    set(all.filter((offer) => msLeft(offer) > 0));
    if (offers.length > 0) timer = setTimeout(show, Math.min(...offers.map(msLeft)));
  };
  show();
}

/** Removes all offers, after a logout. */
export function clearOffers(): void {
  clearTimeout(timer);
  set([]);
}

export function useOffers(): readonly DeviceOffer[] {
  return useSyncExternalStore(subscribe, () => offers);
}

function set(next: readonly DeviceOffer[]): void {
  if (next.length === 0 && offers.length === 0) return;
  offers = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
