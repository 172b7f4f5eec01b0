// Whether the service has a newer version of the client than this page. Then parts that are not loaded yet
// may be gone until the page is reloaded.

let isKnown = false;

export function isVersionReplaced(): boolean {
  return isKnown;
}

export function noteReplacedVersion(): void {
  isKnown = true;
}
