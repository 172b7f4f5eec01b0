import type { Audit } from '../audit/audit.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { SingleSignOnSettings } from '../config/single-sign-on.ts';
import type { Database } from '../database/database.ts';
import type { CredentialLimiter } from '../limits/limits.ts';
import type { Mail } from '../mail/mail.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { AccountCreation } from './account-creation.ts';
import { FirstStepList } from './first-steps/first-step-list.ts';
import type { EmailVerification } from './mailed-tokens/email-verification.ts';
import { PasskeyLogin } from './passkeys/passkey-login.ts';
import { Passkeys } from './passkeys/passkeys.ts';
import { findRelyingParty } from './passkeys/relying-party.ts';
import type { InitialPassword } from './passwords/initial-password.ts';
import { SecondFactors } from './second-factor/second-factors.ts';
import { KnownLogins } from './security/known-logins.ts';
import type { FailedLogin } from './security/login-attempts.ts';
import { type LoginMethods, toLoginMethods } from './security/login-methods.ts';
import type { OwnerCheck } from './security/owner-check.ts';
import { SecondFactorRequirement, type SecondFactorRule } from './security/second-factor-requirement.ts';
import { Security } from './security/security.ts';
import { SecurityLog } from './security/security-log.ts';
import { AccessTokens } from './sessions/access-token.ts';
import { Login } from './sessions/login.ts';
import { LoginSessions } from './sessions/login-sessions.ts';
import { PasswordChange } from './sessions/password-change.ts';
import { SecondFactorLogin } from './sessions/second-factor-login.ts';
import { Identities } from './single-sign-on/identities.ts';
import { SignOnAccounts } from './single-sign-on/sign-on-accounts.ts';
import { SingleSignOn } from './single-sign-on/single-sign-on.ts';

export interface SignInParts {
  readonly database: Database;
  readonly limiter: CredentialLimiter;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Signs access tokens, and protects secrets of second factors; the same for all instances. */
  readonly jwtSecret: string;
  readonly accessTokenTtlMs: number;
  readonly refreshTokenTtlMs: number;
  readonly requireSecondFactor: SecondFactorRule;
  /** The address that people use, with or without the port. It decides whether browsers can use passkeys. */
  readonly address: string;
  /** Undefined if single sign-on is off. */
  readonly singleSignOn: SingleSignOnSettings | undefined;
  readonly audit: Audit;
  readonly mail: Mail;
  readonly notifications: Notifications;
  /** Called when the provider of single sign-on cannot be used. */
  readonly onProviderFault: (error: unknown) => void;
  readonly onFailedLogin: (login: FailedLogin) => void;
  /** Called when a code is rejected because the service's secret has changed since the app was set up. */
  readonly onUnreadableSecret: (accountId: number) => void;
}

/** What the ways to log in share with the rest of the accounts. */
interface SharedParts {
  readonly creation: AccountCreation;
  readonly initialPassword: InitialPassword;
  readonly emailVerification: EmailVerification;
  readonly ownerCheck: OwnerCheck;
}

/** The ways to log in, and what people can change about them for their own account. */
export class SignIn {
  readonly requirement: SecondFactorRequirement;
  readonly sessions: LoginSessions;
  readonly login: Login;
  readonly passwordChange: PasswordChange;
  readonly secondFactors: SecondFactors;
  readonly secondFactorLogin: SecondFactorLogin;
  readonly passkeys: Passkeys;
  readonly passkeyLogin: PasskeyLogin;
  /** Undefined if single sign-on is off. */
  readonly singleSignOn: SingleSignOn | undefined;
  readonly identities: Identities;
  readonly security: Security;
  readonly firstSteps: FirstStepList;
  readonly log: SecurityLog;

  constructor(parts: SignInParts, shared: SharedParts) {
    const { creation, initialPassword, emailVerification, ownerCheck } = shared;
    const { database, limiter, clock, ids, audit, notifications } = parts;
    const { jwtSecret: serviceSecret, onFailedLogin: onFailed } = parts;
    const methods: LoginMethods = toLoginMethods(
      findRelyingParty(parts.address) !== undefined,
      parts.singleSignOn?.issuer,
    );
    const requirement = new SecondFactorRequirement(parts.requireSecondFactor, methods);
    const accessTokens = new AccessTokens(serviceSecret, parts.accessTokenTtlMs, clock);
    const sessions = new LoginSessions({
      ...{ database, clock, ids, accessTokens, requirement },
      knownLogins: new KnownLogins({ clock, notifications }),
      refreshTtlMs: parts.refreshTokenTtlMs,
    });
    const log = new SecurityLog({ database, audit, clock, notifications });
    const common = {
      database,
      clock,
      ids,
      limiter,
      sessions,
      ownerCheck,
      log,
      methods,
      serviceSecret,
      onFailed,
    };
    this.requirement = requirement;
    this.log = log;
    this.sessions = sessions;
    this.secondFactors = new SecondFactors({ ...common, onUnreadableSecret: parts.onUnreadableSecret });
    this.secondFactorLogin = new SecondFactorLogin({ ...common, secondFactors: this.secondFactors });
    this.identities = new Identities(common);
    this.passkeys = new Passkeys(common);
    this.passkeyLogin = new PasskeyLogin(common);
    this.singleSignOn = buildSingleSignOn(parts, {
      ...common,
      ...{ creation, emailVerification },
      identities: this.identities,
    });
    const providerName = parts.singleSignOn?.name;
    this.firstSteps = new FirstStepList({ database, methods });
    this.security = new Security({
      ...{ database, requirement, initialPassword, log, methods, providerName },
      mail: parts.mail,
    });
    this.login = new Login({ ...common, creation, secondFactorLogin: this.secondFactorLogin });
    this.passwordChange = new PasswordChange({ ...common, initialPassword });
  }
}

function buildSingleSignOn(
  { singleSignOn, audit, onProviderFault }: SignInParts,
  common: Omit<ConstructorParameters<typeof SingleSignOn>[0], 'name' | 'loadProvider' | 'accounts'> & {
    creation: AccountCreation;
    emailVerification: EmailVerification;
  },
): SingleSignOn | undefined {
  if (singleSignOn === undefined) return undefined;
  const { name, register, adminClaim } = singleSignOn;
  const { database, clock, creation, emailVerification } = common;
  return new SingleSignOn({
    ...common,
    name,
    // Imported only if single sign-on is on, because its library takes memory.
    loadProvider: async () => {
      const { IdentityProvider } = await import('./single-sign-on/identity-provider.ts');
      return new IdentityProvider({ access: singleSignOn, clock, onFault: onProviderFault });
    },
    accounts: new SignOnAccounts({
      ...{ database, clock, creation, emailVerification },
      ...{ audit, register, adminClaim },
    }),
  });
}
