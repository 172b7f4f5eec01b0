/**
 * Loads the passkey checks only when they are needed. Their library contains certificate parsers and takes
 * more memory than all other account code, and many services use no passkeys.
 */
export const loadWebAuthn = () => import('./webauthn.ts');
