import webPush from 'web-push';
import type { PushTarget } from './push-endpoint.ts';
import type { VapidKeys } from './vapid-keys.ts';

const ENCODING = 'aes128gcm';

interface EncryptedMessage {
  readonly body: Buffer;
  readonly headers: { readonly authorization: string; readonly 'content-encoding': string };
}

/**
 * Encrypts a message for a browser (RFC 8291), and identifies this server to its push service (RFC 8292).
 * @param subject a URL (`https:` or `mailto:`) at which push services reach the operator
 */
export function encryptMessage(
  payload: string,
  { endpoint, p256dh, auth }: PushTarget,
  { keys: { publicKey, privateKey }, subject }: { readonly keys: VapidKeys; readonly subject: string },
): EncryptedMessage {
  const { origin } = new URL(endpoint);
  const vapid = webPush.getVapidHeaders(origin, subject, publicKey, privateKey, ENCODING);
  return {
    body: webPush.encrypt(p256dh, auth, payload, ENCODING).cipherText,
    headers: { authorization: vapid.Authorization, 'content-encoding': ENCODING },
  };
}
