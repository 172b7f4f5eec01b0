/**
 * The passwords of shares that were said in this tab, for the way over the login and back. They are in no storage and go
 * when the page is loaded anew.
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
