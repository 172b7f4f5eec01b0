import type { Generated } from 'kysely';
import type { Instant } from '../../base/clock.ts';

/** A browser that shows notifications, also while Holdall is closed (Web Push). */
export interface PushSubscriptionTable {
  id: Generated<number>;
  account_id: number;
  session_id: string;
  /** The address at the browser's push service. Whoever knows it can send there. */
  endpoint: string;
  /** The browser's public key, and a secret that it shares with us. Both are base64url. */
  p256dh: string;
  auth: string;
  created_at: Instant;
}

/** A notification that waits to be sent to a browser. */
export interface PushDeliveryTable {
  id: Generated<number>;
  subscription_id: number;
  notification_id: number;
  next_attempt_at: Instant;
  /** The number of attempts ever started. */
  attempts: Generated<number>;
}
