// Whether the service has a newer version of the client than this page. Parts of the page that are not loaded
// yet may then be gone for good, until the page is loaded again.

let isKnown = false;

export function isVersionReplaced(): boolean {
  return isKnown;
}

export function noteReplacedVersion(): void {
  isKnown = true;
}
