/**
 * Paths of URLs that people do not open: interfaces for programs, and files. The build of the web client also
 * passes the expression to the service worker.
 */
export const NOT_PAGES = /^\/(?:api|dav|_dl|assets|web|frames|health|metrics|service-worker\.js)(?:[/?]|$)/;
