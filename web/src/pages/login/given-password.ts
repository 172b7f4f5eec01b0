/**
 * The password that a user has just logged in with and must replace now, so that it need not be typed again. It is only
 * kept in memory: a reload removes it.
 */
let given: { readonly userId: number; readonly password: string } | undefined;

export function rememberGivenPassword(userId: number, password: string): void {
  given = { userId, password };
}

export function givenPasswordOf(userId: number | undefined): string | undefined {
  return given?.userId === userId ? given?.password : undefined;
}

export function forgetGivenPassword(): void {
  given = undefined;
}
