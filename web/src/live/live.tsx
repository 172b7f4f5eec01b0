/** Keeps what the page shows true while others change it. Shows nothing itself. */
export function Live() {
  return null;
}
