import { Requester, type RequesterSettings } from '../../../client/src/requests/requester.ts';

/**
 * Sends requests to the service from which the page was loaded. It does not retry: queries do that
 * themselves, as long as something on the page shows them.
 */
export function newRequester(settings: Pick<RequesterSettings, 'credentials' | 'fetch'>): Requester {
  return new Requester({
    get url() {
      return new URL(location.origin);
    },
    timeoutMs: 0,
    retries: 0,
    headers: {},
    ...settings,
  });
}
