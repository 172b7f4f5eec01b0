/** What is being uploaded, at the foot of every page. */
export function UploadTray() {
  return null;
}
