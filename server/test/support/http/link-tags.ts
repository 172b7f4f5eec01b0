import assert from 'node:assert/strict';
import type { Holdall } from '../app/holdall.ts';

/** The Open Graph tags of a page, as read by programs that preview links. */
export async function readTags(
  { url }: Pick<Holdall, 'url'>,
  address: string,
): Promise<ReadonlyMap<string, string>> {
  const response = await fetch(new URL(address, url), { headers: { accept: 'text/html' } });
  assert.equal(response.status, 200);
  const head = (await response.text()).split('</head>')[0] ?? '';
  const tags = head.matchAll(/<meta property="(og:\w+)" content="([^"]*)" \/>/g);
  return new Map(Array.from(tags, ([, name = '', content = '']) => [name, content]));
}
