import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { declineTransfer, offerTransfer } from './contract.ts';
import type { DeviceOffers } from './device-offers.ts';

/** Offers of transfers to other devices of the same account. */
export function deviceOfferRoutes(server: Server, offers: DeviceOffers): void {
  mount(server, offerTransfer, async (request) => {
    const { sessionId } = request.params;
    await offers.offer(sessionId.toLowerCase(), callerOf(request), request.body.session);
  });

  mount(server, declineTransfer, async (request) => {
    await offers.decline(request.params.sessionId.toLowerCase(), callerOf(request));
  });
}
