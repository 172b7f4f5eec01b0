/** The page where others see a share. */
export function toSharePage(token: string): string {
  return `${window.location.origin}/s/${token}`;
}

/** The page of a link of the older kind, which folders have. */
export function toLinkPage(token: string): string {
  return `${window.location.origin}/l/${token}`;
}

/** Where the bytes of a share are. The password is not part of it: who has said it has a cookie. */
export function toDownload(token: string): string {
  return `/api/v2/shares/${encodeURIComponent(token)}?download`;
}

/** Where an entry lies in the drive of whoever is logged in. */
export function toPlace(parentPath: string, id: number): string {
  const segments = parentPath.split('/').filter((segment) => segment !== '');
  return `/drive/${segments.map(encodeURIComponent).join('/')}?select=${id}`;
}
