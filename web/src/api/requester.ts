import { Requester, type RequesterSettings } from '../../../client/src/requests/requester.ts';

/**
 * Sends requests to the service from which the page was loaded, each once: queries repeat their requests, and
 * wait as long as somebody looks at them.
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
