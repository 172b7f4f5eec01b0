/** Whether one of the servers passes bytes on between two pages that cannot reach each other (TURN). */
export function hasRelay(servers: readonly RTCIceServer[]): boolean {
  return servers.some(({ urls }) => [urls].flat().some((url) => /^turns?:/.test(url)));
}
