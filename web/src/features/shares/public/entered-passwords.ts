/**
 * The verified passwords of shares in this tab, kept in memory while the user logs in and comes back. They
 * are never stored, and a reload removes them.
 */
const passwords = new Map<string, string>();

export function findEnteredPassword(token: string): string | undefined {
  return passwords.get(token);
}

export function storeEnteredPassword(token: string, password: string): void {
  passwords.set(token, password);
}

export function deleteEnteredPassword(token: string): void {
  passwords.delete(token);
}
