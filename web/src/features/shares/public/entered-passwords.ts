/**
 * The verified passwords of shares in this tab, kept in memory while the user logs in and comes back. They
 * are never stored, and a reload removes them.
 */
const passwords = new Map<string, string>();
/** The shares whose verified password was refused later, because the owner has changed it. */
const changed = new Set<string>();

export function findEnteredPassword(token: string): string | undefined {
  return passwords.get(token);
}

export function storeEnteredPassword(token: string, password: string): void {
  passwords.set(token, password);
  changed.delete(token);
}

/** The password that was verified before is wrong now. */
export function notePasswordChange(token: string): void {
  passwords.delete(token);
  changed.add(token);
}

/** Whether the password was changed in this visit, and the new one was not entered yet. */
export function wasPasswordChanged(token: string): boolean {
  return changed.has(token);
}
