import type { Logger } from 'pino';
import type { Leases } from '../leases/leases.ts';
import type { Mail } from '../mail/mail.ts';
import type { Push } from '../notifications/push/push.ts';
import { Delivery } from './delivery.ts';

/** What sends the messages that wait in the database. */
export function buildDeliveries(
  { mail, push, leases }: { mail: Mail; push: Push; leases: Leases },
  logger: Logger,
) {
  return {
    mailDelivery: new Delivery({
      ...{ name: 'send mail', queue: mail.outbox, leases, logger },
      onQueued: (listener) => mail.onQueued(listener),
    }),
    pushDelivery: new Delivery({
      ...{ name: 'send push messages', queue: push.sender, leases, logger },
      onQueued: (listener) => push.onQueued(listener),
    }),
  };
}
