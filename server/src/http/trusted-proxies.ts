/** How many proxies a request passes through (0: none), or their addresses and networks. */
export type TrustedProxies = number | readonly string[];

/**
 * Fastify's `trustProxy`. Fastify walks from the address of the connection through `X-Forwarded-For`, last
 * entry first. The first address that is not trusted is the client's. A client can write anything in front of
 * the proxies' entries, but those come last.
 *
 * Fastify treats a plain number as "no proxy", so a number of proxies is passed as a function.
 */
export function isTrustedProxy(
  proxies: TrustedProxies,
): false | string[] | ((address: string, hop: number) => boolean) {
  if (typeof proxies !== 'number') return [...proxies];
  return proxies === 0 ? false : (_address, hop) => hop < proxies;
}
