/** What somebody sees who was sent the link of a share. */
export function PublicSharePage() {
  return null;
}
