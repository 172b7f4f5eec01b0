import { Failure, type FailureKind, type FailureOptions } from '../../base/failure.ts';

/** Why a login with the provider has failed. The names are part of the API: the web client explains them. */
const KINDS = {
  /** The login took too long, was started in another browser, or was finished before. */
  expired: 'unauthenticated',
  /** The answer of the provider is wrong. */
  failed: 'unauthenticated',
  /** The person or the provider has denied the login. */
  denied: 'rejected',
  /** The person has no account, and logins do not create accounts. */
  'no-account': 'forbidden',
  banned: 'forbidden',
  /** The identity belongs to another account. */
  taken: 'conflict',
  /** The account has the maximum number of identities. */
  'too-many-identities': 'conflict',
} as const satisfies Readonly<Record<string, FailureKind>>;

type SingleSignOnFault = keyof typeof KINDS;

export class SingleSignOnFailure extends Failure {
  readonly fault: SingleSignOnFault;

  constructor(fault: SingleSignOnFault, message: string, options: FailureOptions = {}) {
    super(KINDS[fault], message, options);
    this.fault = fault;
  }
}
