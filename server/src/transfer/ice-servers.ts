import { createHmac } from 'node:crypto';
import { DAY, type Instant } from '../base/clock.ts';
import type { IceServerSettings } from '../config/ice-servers.ts';

/** How long after a page was loaded it may open a relay. A relay in use continues after that. */
const CREDENTIAL_MS = DAY;

/** The form that `RTCPeerConnection` takes. */
export interface IceServer {
  urls: string[];
  username?: string;
  credential?: string;
}

/**
 * The ICE servers for a page. For a TURN server that shares a secret with us, the page gets a temporary
 * credential: the username contains the expiry in Unix seconds, and the password is its HMAC-SHA1, which the
 * TURN server computes too (draft-uberti-behave-turn-rest, section 2.2; coturn's `use-auth-secret`).
 */
export function listIceServers(settings: readonly IceServerSettings[], now: Instant): IceServer[] {
  return settings.map(({ urls, username, credential, secret }) => {
    if (secret !== undefined) return { urls: [...urls], ...makeCredential(secret, now + CREDENTIAL_MS) };
    if (username === undefined || credential === undefined) return { urls: [...urls] };
    return { urls: [...urls], username, credential };
  });
}

function makeCredential(secret: string, expiresAt: Instant): { username: string; credential: string } {
  const username = `${Math.floor(expiresAt / 1_000)}:holdall`;
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') };
}
