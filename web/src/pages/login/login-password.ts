/**
 * A password that must be replaced right after the login. It is remembered so that the user need not type it
 * again, but only in memory: a reload removes it.
 */
let remembered: { readonly userId: number; readonly password: string } | undefined;

export function rememberLoginPassword(userId: number, password: string): void {
  remembered = { userId, password };
}

export function findLoginPassword(userId: number | undefined): string | undefined {
  return remembered?.userId === userId ? remembered?.password : undefined;
}

export function clearLoginPassword(): void {
  remembered = undefined;
}
