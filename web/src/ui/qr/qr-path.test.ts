// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from 'uqr';
import { QUIET_ZONE, toQrPath } from './qr-path.ts';

test('the path covers exactly the dark modules, with a quiet zone of four around them', () => {
  for (const text of ['https://drive.example.org/s/Ab-_0123456789012345678', 'x']) {
    const { size, path } = toQrPath(text);
    const drawn = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
    for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
      for (let step = 0; step < Number(length); step += 1) {
        const row = drawn[Number(y)];
        assert.equal(row?.[Number(x) + step], false, 'no module is drawn twice');
        row[Number(x) + step] = true;
      }
    }
    const { data } = encode(text, { ecc: 'M', border: 0 });
    const plain = drawn.slice(QUIET_ZONE, -QUIET_ZONE).map((row) => row.slice(QUIET_ZONE, -QUIET_ZONE));
    assert.deepEqual(plain, data);
    assert.equal(drawn.flat().filter(Boolean).length, data.flat().filter(Boolean).length);
  }
});
