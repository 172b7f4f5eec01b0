/**
 * Says to the service what kind of device logs in. It keeps one login of each kind: without this the phone would put the
 * laptop out.
 */
export function clientTypeHeader(): Record<'x-service-client', 'mobile' | 'desktop'> {
  const { userAgent, maxTouchPoints } = navigator;
  // A tablet of Apple's says that it is a Mac, and no Mac is touched with five fingers.
  const isMobile = /Mobi|Android/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  return { 'x-service-client': isMobile ? 'mobile' : 'desktop' };
}
