/** Contains the code of a mailed invitation until the registration in this tab. */
const KEY = 'holdall.invite-code';

/** Keeps a code that was removed from the address, for when the page is loaded again. */
export function keepInviteCode(code: string | undefined): void {
  try {
    if (code === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, code);
  } catch {
    // Without storage, the user has to open the mail again.
  }
}

export function keptInviteCode(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
