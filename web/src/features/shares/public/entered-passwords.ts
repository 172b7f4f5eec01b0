/**
 * The verified passwords of shares in this tab. They stay in memory while the user logs in and comes back,
 * but they are never stored, and a reload removes them.
 */
const passwords = new Map<string, string>();
/** The shares whose verified password was later rejected, because the owner has changed it. */
const changed = new Set<string>();

export function findEnteredPassword(token: string): string | undefined {
  return passwords.get(token);
}

export function storeEnteredPassword(token: string, password: string): void {
  passwords.set(token, password);
  changed.delete(token);
}

/** Called when a verified password has become wrong. */
export function notePasswordChange(token: string): void {
  passwords.delete(token);
  changed.add(token);
}

/** Whether the password was changed during this visit, and the new one has not been entered yet. */
export function wasPasswordChanged(token: string): boolean {
  return changed.has(token);
}
