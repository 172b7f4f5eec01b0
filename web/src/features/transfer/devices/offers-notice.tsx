import { Suspense } from 'react';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { useOffers } from '../../live/device-offers.ts';

const OfferCards = lazyPart(async () => (await import('./offer-cards.tsx')).OfferCards);

/**
 * Asks whether to receive files that the user's other devices offer. Its code is loaded with the first offer.
 */
export function OffersNotice() {
  const offers = useOffers();
  if (offers.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <OfferCards offers={offers} />
    </Suspense>
  );
}
