/** The registration page with the code filled in. */
export function linkOfInvite(code: string): string {
  return `${window.location.origin}/register?${new URLSearchParams({ code })}`;
}
