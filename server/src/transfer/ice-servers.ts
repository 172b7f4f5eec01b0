import { createHmac } from 'node:crypto';
import { DAY, type Instant } from '../base/clock.ts';
import type { IceServerSettings } from '../config/ice-servers.ts';

/** As long as it may take until a relay is asked for; one that is in use goes on. */
const CREDENTIAL_MS = DAY;

/** As `RTCPeerConnection` takes it. */
export interface IceServer {
  urls: string[];
  username?: string;
  credential?: string;
}

/**
 * What pages are told of the servers. Where we share a secret with a TURN server they get a name that says when it ends
 * (seconds since 1970) and the HMAC-SHA1 of it, which that server computes too
 * (draft-uberti-behave-turn-rest, section 2.2; coturn's `use-auth-secret`).
 */
export function listIceServers(settings: readonly IceServerSettings[], now: Instant): IceServer[] {
  return settings.map(({ urls, username, credential, secret }) => {
    if (secret !== undefined) return { urls: [...urls], ...makeCredential(secret, now + CREDENTIAL_MS) };
    if (username === undefined || credential === undefined) return { urls: [...urls] };
    return { urls: [...urls], username, credential };
  });
}

function makeCredential(secret: string, end: Instant): { username: string; credential: string } {
  const username = `${Math.floor(end / 1_000)}:holdall`;
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') };
}
