import type { Environment } from './environment.ts';

/**
 * A STUN or TURN server in the form that `RTCPeerConnection` takes, or with a secret to make credentials
 * from.
 */
export interface IceServerSettings {
  readonly urls: readonly string[];
  readonly username: string | undefined;
  readonly credential: string | undefined;
  /** Shared with the TURN server. Short-lived credentials are derived from it. Never sent to clients. */
  readonly secret: string | undefined;
}

export const MAX_ICE_SERVERS = 16;
/** The maximum number of URLs of one server. */
export const MAX_ICE_URLS = 16;

const NAME = 'HOLDALL_ICE_SERVERS';
/** `stun:` and `turn:` URLs (RFC 7064 and 7065). */
const URL_PATTERN = /^(?:stuns?|turns?):[^\s/]+$/;

export function readIceServers(env: Environment): readonly IceServerSettings[] {
  const text = env.text(NAME);
  if (text === undefined) return [];
  const turnSecret = env.text('HOLDALL_TURN_SECRET');
  const servers = parseList(text)?.map((value) => toServer(value, turnSecret));
  const known = servers?.filter((server) => server !== undefined);
  if (servers === undefined || servers.length > MAX_ICE_SERVERS || known?.length !== servers.length) {
    env.fault(
      NAME,
      `a JSON list of at most ${MAX_ICE_SERVERS}, such as ` +
        '[{"urls":"stun:stun.example.org"}, {"urls":["turn:turn.example.org"],"secret":"…"}], ' +
        'in which a turn server has either a username and a credential, or a secret, unless HOLDALL_TURN_SECRET is set',
    );
  }
  return known ?? [];
}

function parseList(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function toServer(value: unknown, turnSecret: string | undefined): IceServerSettings | undefined {
  if (typeof value !== 'object' || value === null || !('urls' in value)) return undefined;
  const urls: unknown[] = Array.isArray(value.urls) ? value.urls : [value.urls];
  const iceUrls = urls.filter((url) => typeof url === 'string' && URL_PATTERN.test(url)).map(String);
  if (iceUrls.length === 0 || iceUrls.length > MAX_ICE_URLS) return undefined;
  if (iceUrls.length !== urls.length) return undefined;
  const username = 'username' in value ? toText(value.username) : undefined;
  const credential = 'credential' in value ? toText(value.credential) : undefined;
  const secret = 'secret' in value ? toText(value.secret) : undefined;
  const hasLogin = username !== undefined && credential !== undefined;
  const isHalf = (username === undefined) !== (credential === undefined);
  const needsOne = iceUrls.some((url) => url.startsWith('turn'));
  const commonSecret = needsOne && !hasLogin ? turnSecret : undefined;
  if (isHalf || (hasLogin && secret !== undefined)) return undefined;
  if (needsOne && !hasLogin && secret === undefined && commonSecret === undefined) return undefined;
  return { urls: iceUrls, username, credential, secret: secret ?? commonSecret };
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
