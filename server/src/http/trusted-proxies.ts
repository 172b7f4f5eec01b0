/** How many proxies a request passes through (0: none), or their addresses and networks. */
export type TrustedProxies = number | readonly string[];

/**
 * Fastify's `trustProxy`. It walks from the address of the connection through `X-Forwarded-For`, last entry
 * first, and the first address that is not trusted is the client's. A client can write anything in front of
 * the entries that the proxies add, but these entries come last.
 *
 * Fastify takes a plain number for "no proxy", so the number of proxies is a function here.
 */
export function isTrustedProxy(
  proxies: TrustedProxies,
): false | string[] | ((address: string, hop: number) => boolean) {
  if (typeof proxies !== 'number') return [...proxies];
  return proxies === 0 ? false : (_address, hop) => hop < proxies;
}
