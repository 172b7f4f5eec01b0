/** What an app on a phone needs. */
export interface PhoneAccess {
  readonly username: string;
  readonly password: string;
}

/** The longest username, in characters, as in the service. */
const MAX_USERNAME = 64;
/** The form of an app password, as in the service. */
const APP_PASSWORD = /^hda_[0-9A-Za-z]{32}$/;

/**
 * The address in the QR code. Browsers never send the fragment, so the password stays on the two devices.
 * @param origin of this server
 */
export function toPhoneAddress(origin: string, { username, password }: PhoneAccess): string {
  return `${origin}/connect/phone#${new URLSearchParams({ user: username, password })}`;
}

/** Reads the fragment of such an address; undefined if it is anything else. */
export function readPhoneAccess(fragment: string): PhoneAccess | undefined {
  const values = new URLSearchParams(fragment.replace(/^#/, ''));
  const [username = '', password = ''] = [values.get('user') ?? '', values.get('password') ?? ''];
  if (username === '' || username.length > MAX_USERNAME || !APP_PASSWORD.test(password)) return undefined;
  return { username, password };
}
