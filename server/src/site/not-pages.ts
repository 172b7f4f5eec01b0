/**
 * Paths of URLs that are not for people: the interfaces for programs, and files. The build of the web client
 * gives the expression to the service worker too.
 */
export const NOT_PAGES = /^\/(?:api|dav|_dl|assets|web|frames|health|metrics|service-worker\.js)(?:[/?]|$)/;
