import { escapeHtml } from '../base/text/escapes.ts';

/**
 * The preview that chat programs and social networks show for a link. They run no scripts, so they read it
 * from meta tags of the page (the Open Graph protocol, https://ogp.me).
 */
export interface LinkPreview {
  readonly title: string;
  readonly description: string;
  /** Absolute; undefined without a picture. */
  readonly imageUrl: string | undefined;
}

/** Finds the preview of a page; undefined if its address must not reveal anything to strangers. */
export type FindLinkPreview = (page: {
  /** The first segment of the address. */
  readonly name: string;
  /** The rest of the address, decoded; empty if there is none. */
  readonly key: string;
}) => Promise<LinkPreview | undefined>;

/** The tags for the head of the page. */
export function toMetaTags({ title, description, imageUrl }: LinkPreview, siteName: string): string {
  const properties: readonly (readonly [name: string, content: string | undefined])[] = [
    ['og:type', 'website'],
    ['og:site_name', siteName],
    ['og:title', title],
    ['og:description', description],
    ['og:image', imageUrl],
  ];
  const tags = properties.flatMap(([name, content]) =>
    content === undefined ? [] : `<meta property="${name}" content="${escapeHtml(content)}" />`,
  );
  const card = imageUrl === undefined ? 'summary' : 'summary_large_image';
  return [...tags, `<meta name="twitter:card" content="${card}" />`].join('');
}
