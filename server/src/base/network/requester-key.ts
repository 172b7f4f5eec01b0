import { addressKeyOf } from './address-key.ts';

/** Who asks: an account, or a client address without a login. */
export interface Requester {
  readonly accountId?: number | undefined;
  readonly address: string;
}

/** The key by which limited capacity is shared. An account has the same key at every address. */
export function requesterKeyOf({ accountId, address }: Requester): string {
  return accountId === undefined ? `address ${addressKeyOf(address)}` : `account ${accountId}`;
}
