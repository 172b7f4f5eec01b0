import { createHmac } from 'node:crypto';
import { HOUR, type Instant } from '../base/clock.ts';
import type { IceServerSettings } from '../config/ice-servers.ts';

/** How long a credential can open a relay. A relay that is already open continues after that. */
const CREDENTIAL_MS = HOUR;

/** A server in the form that `RTCPeerConnection` accepts. */
export interface IceServer {
  urls: string[];
  username?: string;
  credential?: string;
}

/**
 * The ICE servers for a page. For a TURN server that shares a secret with us, the page gets a temporary
 * credential. Its username contains the expiry in Unix seconds and the session. Its password is the
 * username's HMAC-SHA1, which the TURN server also computes (draft-uberti-behave-turn-rest, section 2.2;
 * coturn's `use-auth-secret`). So the TURN server can count and limit what each session relays.
 *
 * @param sessionId a transfer session or a login session. Without one there are no temporary credentials, and
 *   the servers that need them are left out.
 */
export function listIceServers(
  settings: readonly IceServerSettings[],
  sessionId: string | undefined,
  now: Instant,
): IceServer[] {
  return settings.flatMap(({ urls, username, credential, secret }) => {
    if (secret !== undefined) {
      if (sessionId === undefined) return [];
      return [{ urls: [...urls], ...makeCredential(secret, sessionId, now + CREDENTIAL_MS) }];
    }
    if (username === undefined || credential === undefined) return [{ urls: [...urls] }];
    return [{ urls: [...urls], username, credential }];
  });
}

function makeCredential(
  secret: string,
  sessionId: string,
  expiresAt: Instant,
): { username: string; credential: string } {
  const username = `${Math.floor(expiresAt / 1_000)}:${sessionId}`;
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') };
}
