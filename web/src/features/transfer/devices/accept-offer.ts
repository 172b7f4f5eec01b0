import { errorOf } from '../../../../../client/src/errors/read-error.ts';
import { toSafePaths } from '../../../../../client/src/transfer/session/safe-paths.ts';
import type { DeviceOffer } from '../../live/device-offers.ts';
import { choosePlace } from '../saving/places.ts';
import { setCurrent } from '../session/current.ts';
import { Receiving } from '../session/receiving.ts';
import { lookUpSession } from '../session/sessions.ts';

/**
 * Starts to receive what another device offers, by the code in the offer. An encrypted transfer is only
 * opened: the service does not know its secret, so the page has to ask for it. Must be called from a click,
 * because the user may have to choose a place.
 * @throws HoldallError 404 if it has ended; NoPlace
 */
export async function acceptOffer(offer: DeviceOffer): Promise<'receiving' | 'to-open' | 'cancelled'> {
  const session = await lookUpSession(offer.pickupCode);
  // The code of an ended transfer may belong to another one now.
  if (session.sessionId !== offer.sessionId) throw errorOf(404, 'The transfer has ended.');
  if (session.encrypted) return 'to-open';
  const paths = toSafePaths(session.files);
  const totalBytes = session.files.reduce((sum, { size }) => sum + size, 0);
  const place = await choosePlace(paths, totalBytes).catch((error: unknown) => {
    // The service answered too late: browsers allow a page to open a picker only shortly after a click. The
    // page has another button.
    if (error instanceof DOMException && error.name === 'SecurityError') return 'too-late' as const;
    throw error;
  });
  if (place === 'too-late') return 'to-open';
  if (place === undefined) return 'cancelled';
  const receiving = new Receiving({ session, encryption: undefined }, place, paths);
  setCurrent({ receiving });
  void receiving.start();
  return 'receiving';
}
