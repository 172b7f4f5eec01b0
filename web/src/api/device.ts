import { readStored, writeStored } from './stored.ts';

const KEY = 'holdall.device';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The headers of every request that starts or renews a session. The service allows one session per client
 * type and device, so a login here does not end a session on another computer.
 */
export function deviceHeaders(): Readonly<Record<'x-service-client' | 'x-service-device', string>> {
  return { 'x-service-client': isMobile() ? 'mobile' : 'desktop', 'x-service-device': getOrCreateDevice() };
}

function isMobile(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  // An iPad claims to be a Mac, but no Mac supports five touch points.
  return /Mobi|Android/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

/** The UUID of this browser. It outlasts sessions, so a new login replaces this browser's earlier session. */
function getOrCreateDevice(): string {
  const known = readStored(KEY);
  if (known !== undefined && UUID.test(known)) return known;
  const device = newUuid();
  writeStored(KEY, device);
  return device;
}

/** A random UUID (RFC 9562, section 5.4). `crypto.randomUUID` needs a secure context. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const [time, version, variant] = [hex.slice(0, 8), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return `${time}-${hex.slice(8, 12)}-${version}-${variant}-${hex.slice(20)}`;
}
