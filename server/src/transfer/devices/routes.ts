import { callerOf } from '../../http/caller.ts';
import { envelopedNothing, NOTHING } from '../../http/envelope.ts';
import type { Server } from '../../http/server.ts';
import { OfferBody, TransferParams } from '../contract.ts';
import type { DeviceOffers } from './device-offers.ts';

const ADDRESS = '/api/v2/transfer/sessions/:sessionId/offer';

/** Offers of transfers to other devices of the same account. */
export function deviceOfferRoutes(server: Server, offers: DeviceOffers): void {
  // An app password does not stand for a device.
  const config = { access: 'login', appPassword: 'never' } as const;

  server.post(
    ADDRESS,
    { config, schema: { params: TransferParams, body: OfferBody, response: envelopedNothing } },
    async (request) => {
      const { sessionId } = request.params;
      await offers.offer(sessionId.toLowerCase(), callerOf(request), request.body.session);
      return NOTHING;
    },
  );

  server.delete(
    ADDRESS,
    { config, schema: { params: TransferParams, response: envelopedNothing } },
    async (request) => {
      await offers.decline(request.params.sessionId.toLowerCase(), callerOf(request));
      return NOTHING;
    },
  );
}
