/**
 * The password with which a user has just logged in and which must be replaced, so that it need not be typed
 * again. It is in memory only: a reload removes it.
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
