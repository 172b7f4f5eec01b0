/**
 * The verified passwords of shares in this tab, kept in memory while the user logs in and comes back. They
 * are never stored, and a reload removes them.
 */
const said = new Map<string, string>();

export function saidPassword(token: string): string | undefined {
  return said.get(token);
}

export function rememberPassword(token: string, password: string): void {
  said.set(token, password);
}

export function forgetPassword(token: string): void {
  said.delete(token);
}
