import type { Flag } from '../../database/flag.ts';

/**
 * Which ways to log in work at this service, besides passwords. An account may have others: passkeys of an earlier
 * address, or identities of an earlier provider. They protect nothing, and nobody can log in with them.
 */
export interface LoginWays {
  /** Whether browsers can use passkeys at the address of the service. */
  readonly passkeysWork: Flag;
  /** The issuer of the provider of single sign-on; empty without one. Providers spell it with a slash or without. */
  readonly issuer: string;
  readonly issuerWithSlash: string;
}

/** @param issuer as configured; undefined without single sign-on */
export function toLoginWays(passkeysWork: boolean, issuer: string | undefined): LoginWays {
  const plain = issuer?.replace(/\/$/, '');
  return {
    passkeysWork: passkeysWork ? 1 : 0,
    issuer: plain ?? '',
    issuerWithSlash: plain === undefined ? '' : `${plain}/`,
  };
}
