/** Whether one of the servers relays bytes between two pages that cannot reach each other (TURN). */
export function hasRelay(servers: readonly RTCIceServer[]): boolean {
  return servers.some(({ urls }) => [urls].flat().some((url) => /^turns?:/.test(url)));
}
