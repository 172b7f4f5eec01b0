/**
 * Tells a client what its user must do first, if the code of the error does not say it:
 * `new-password` and `second-factor` with 403, `login` with the 401 of a login that has to be started again.
 */
export const REQUIRED_HEADER = 'x-service-required';
