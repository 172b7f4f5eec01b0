// Draws the web client's icons from its SVG, in the formats that browsers and phones need.
//   node tools/node.mjs tools/build/draw-icons.ts DIRECTORY        the directory has `icon.svg`
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { SharpConstructor } from 'sharp';

// `sharp` is resolved from the server, whose package it is.
const server = path.join(import.meta.dirname, '..', '..', 'server', 'package.json');
const sharp: SharpConstructor = createRequire(server)('sharp');

/** The canvas of the light theme. */
const CANVAS = '#f8f6f1';

/**
 * The part of the picture that the icon fills. It is smaller for a maskable icon, because a phone cuts that
 * to a circle or a rounded square.
 */
const ICONS = [
  { name: 'icon-192.png', size: 192, share: 1, background: undefined },
  { name: 'icon-512.png', size: 512, share: 1, background: undefined },
  { name: 'icon-maskable-512.png', size: 512, share: 0.6, background: CANVAS },
  { name: 'apple-touch-icon.png', size: 180, share: 0.72, background: CANVAS },
] as const;

const [directory = '.'] = process.argv.slice(2);
const picture = readFileSync(path.join(directory, 'icon.svg'));
for (const { name, size, share, background } of ICONS) {
  const inner = Math.round(size * share);
  const icon = await sharp(picture, { density: 600 }).resize(inner, inner).png().toBuffer();
  await sharp({
    create: {
      width: size,
      height: size,
      channels: 4,
      background: background ?? { r: 0, g: 0, b: 0, alpha: 0 },
    },
  })
    .composite([{ input: icon }])
    .png({ compressionLevel: 9 })
    .toFile(path.join(directory, name));
}
