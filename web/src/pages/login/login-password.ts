/**
 * The password that a user has just logged in with and must replace now, so that it need not be typed again. It is only
 * kept in memory: a reload removes it.
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
