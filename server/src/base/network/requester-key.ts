import { addressKeyOf } from './address-key.ts';

/** Who asks: an account, or a client address without a login. */
export interface Requester {
  readonly accountId?: number | undefined;
  readonly address: string;
}

/** The key under which requesters get their share of something: an account has one, wherever it asks from. */
export function requesterKeyOf({ accountId, address }: Requester): string {
  return accountId === undefined ? `address ${addressKeyOf(address)}` : `account ${accountId}`;
}
