/** What somebody sees who was sent a share link of the older kind. */
export function ShareLinkPage() {
  return null;
}
