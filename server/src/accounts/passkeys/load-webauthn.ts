/**
 * Loads the checks of passkeys when they are needed: with its parsers of certificates their library takes
 * more memory than the rest of the accounts, and many services use no passkeys.
 */
export const loadWebAuthn = () => import('./webauthn.ts');
