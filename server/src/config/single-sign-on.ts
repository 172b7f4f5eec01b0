import type { Environment } from './environment.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const MAX_NAME = 64;

/** The OpenID Connect provider with which people can log in. */
export interface SingleSignOnSettings {
  /** Exactly as the provider spells it, with or without a slash at the end. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The name of the provider on the login page. */
  readonly name: string;
  /** Whether people without an account get one at their first login. */
  readonly register: boolean;
  /** The claim that makes someone an admin if it is `true`. */
  readonly adminClaim: string | undefined;
}

/** Undefined if `HOLDALL_OIDC_ISSUER` is not set. */
export function readSingleSignOn(env: Environment): SingleSignOnSettings | undefined {
  const issuer = readIssuer(env);
  if (issuer === undefined) return undefined;
  return {
    issuer: issuer.text,
    clientId: env.required('HOLDALL_OIDC_CLIENT_ID', 'set, as HOLDALL_OIDC_ISSUER is'),
    clientSecret: env.required('HOLDALL_OIDC_CLIENT_SECRET', 'set, as HOLDALL_OIDC_ISSUER is'),
    name: readName(env) ?? issuer.host,
    register: env.flag('HOLDALL_OIDC_REGISTER', false),
    adminClaim: env.pattern('HOLDALL_OIDC_ADMIN_CLAIM', /^.{1,256}$/u, 'the name of a claim'),
  };
}

/** Keys and tokens come from there, so someone who can change the answers could log in as anyone. */
function readIssuer(env: Environment): { readonly text: string; readonly host: string } | undefined {
  const name = 'HOLDALL_OIDC_ISSUER';
  const text = env.text(name);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (url === undefined || !isSafe || url.search + url.hash + url.username + url.password !== '') {
    env.fault(name, 'an https:// URL such as https://id.example.org, without a query');
    return undefined;
  }
  return { text, host: url.host };
}

function readName(env: Environment): string | undefined {
  const expected = `text of 1 to ${MAX_NAME} characters`;
  return env.pattern('HOLDALL_OIDC_NAME', new RegExp(`^[^\\p{Cc}]{1,${MAX_NAME}}$`, 'u'), expected);
}
