/** Issuers are long URLs, whose hosts people know. */
export function hostOf({ issuer }: { readonly issuer: string }): string {
  return URL.canParse(issuer) ? new URL(issuer).host : issuer;
}
