import type { Holdall as Service } from '../../server/test/support/app/holdall.ts';
import { PASSWORD } from '../../server/test/support/app/person.ts';
import { Holdall, type HoldallOptions } from '../src/client.ts';

/** A client of the running service, logged in as a new user. */
export async function logInNewUser(
  service: Service,
  options: Partial<HoldallOptions> = {},
): Promise<{ readonly holdall: Holdall; readonly username: string }> {
  const { username } = await service.register('client');
  const holdall = new Holdall({ url: service.url, ...options });
  await holdall.auth.logIn(username, PASSWORD);
  return { holdall, username };
}

/** A `fetch` that sends requests like the global one, and records them as `METHOD /path`. */
export function recordingFetch(): { readonly fetch: typeof fetch; readonly requests: string[] } {
  const requests: string[] = [];
  const send: typeof fetch = (url, request) => {
    requests.push(`${request?.method ?? 'GET'} ${new URL(String(url)).pathname}`);
    return fetch(url, request);
  };
  return { fetch: send, requests };
}
