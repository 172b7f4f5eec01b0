// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../../../tools/testing/fast-check.ts';
import { OPEN, planChunks, statusesBefore, TERMINAL, UNFINISHED } from './upload-session.ts';

const MIB = 1024 ** 2;
const TIB = 1024 ** 4;

describe('a file', () => {
  for (const [size, chunkSize, chunkCount] of [
    [0, 8 * MIB, 1],
    [1, 8 * MIB, 1],
    [8 * MIB, 8 * MIB, 1],
    [8 * MIB + 1, 8 * MIB, 2],
    [80_000 * MIB, 8 * MIB, 10_000],
    [80_000 * MIB + 1, 9 * MIB, 8_889],
    [5 * TIB, 525 * MIB, 9_987],
  ] as const) {
    it(`of ${size} bytes is split into ${chunkCount} chunks of ${chunkSize} bytes`, () => {
      assert.deepEqual(planChunks(size, 'DIRECT_MULTIPART'), { chunkSize, chunkCount });
    });
  }

  it('is covered by at most 10,000 chunks, of which only the last one may be shorter', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 16 * TIB }), (size) => {
        const { chunkSize, chunkCount } = planChunks(size, 'DIRECT_MULTIPART');
        const last = size - chunkSize * (chunkCount - 1);
        assert.ok(chunkCount >= 1 && chunkCount <= 10_000);
        assert.ok(last <= chunkSize && (last > 0 || size === 0));
        assert.ok(chunkSize >= 8 * MIB);
      }),
    );
  });

  it('is one chunk when it is sent in one request', () => {
    for (const mode of ['PROXY', 'DIRECT_SINGLE'] as const) {
      assert.deepEqual(planChunks(123 * MIB, mode), { chunkSize: 123 * MIB, chunkCount: 1 });
    }
  });
});

describe('the status table', () => {
  it('has no way out of a terminal status', () => {
    assert.deepEqual([...TERMINAL].sort(), ['CANCELLED', 'COMPLETED', 'EXPIRED', 'FAILED']);
    for (const status of [...OPEN, ...UNFINISHED, ...TERMINAL]) {
      assert.ok(statusesBefore(status).every((before) => UNFINISHED.includes(before)));
    }
  });

  it('allows every unfinished status to become CANCELLED', () => {
    assert.deepEqual(statusesBefore('CANCELLED'), UNFINISHED);
  });
});
