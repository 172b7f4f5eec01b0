/**
 * The client type of this device. The service allows one session per type: without it, logging in on a phone
 * would end the session on the laptop.
 */
export function clientTypeHeader(): Record<'x-service-client', 'mobile' | 'desktop'> {
  const { userAgent, maxTouchPoints } = navigator;
  // An iPad claims to be a Mac, but no Mac supports five touch points.
  const isMobile = /Mobi|Android/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  return { 'x-service-client': isMobile ? 'mobile' : 'desktop' };
}
