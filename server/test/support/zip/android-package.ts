import { randomBytes } from 'node:crypto';
import { forgeZip } from './zip-forge.ts';

/** An Android package with `size` bytes, at least a few hundred. */
export function packageOf(size = 0): Buffer {
  const missing = size - forge(Buffer.alloc(0)).length;
  return forge(randomBytes(Math.max(0, missing)));
}

function forge(code: Buffer): Buffer {
  return forgeZip([
    { name: 'AndroidManifest.xml', content: 'manifest' },
    { name: 'classes.dex', content: code },
  ]);
}
