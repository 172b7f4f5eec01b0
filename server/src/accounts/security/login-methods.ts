import type { Flag } from '../../database/flag.ts';

/**
 * The ways to log in that work at this service, besides passwords. An account may have others that do not
 * work: passkeys of an earlier address, or identities of an earlier provider. They do not count as second
 * factors.
 */
export interface LoginMethods {
  /** Whether browsers can use passkeys at the address of the service. */
  readonly passkeysWork: Flag;
  /**
   * The issuer of the provider of single sign-on; empty without one. Providers spell it with a slash or
   * without.
   */
  readonly issuer: string;
  readonly issuerWithSlash: string;
}

/** @param issuer as configured; undefined without single sign-on */
export function toLoginMethods(passkeysWork: boolean, issuer: string | undefined): LoginMethods {
  const plain = issuer?.replace(/\/$/, '');
  return {
    passkeysWork: passkeysWork ? 1 : 0,
    issuer: plain ?? '',
    issuerWithSlash: plain === undefined ? '' : `${plain}/`,
  };
}
