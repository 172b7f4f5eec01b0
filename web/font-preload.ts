import type { Plugin } from 'vite';

/** The part of the font with the Latin letters, among the built files. */
export const LATIN_FONT = /^assets\/inter-latin-wght-normal-[\w-]+\.woff2$/;

/** Lets the page load the Latin letters immediately, before the browser has read the style sheet. */
export function fontPreload(): Plugin {
  return {
    name: 'font-preload',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((file) => LATIN_FONT.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head',
          })),
    },
  };
}
