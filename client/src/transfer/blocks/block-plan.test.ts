// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { BLOCK_BYTES, BlockPlan } from './block-plan.ts';

const SIZES = fc.array(fc.oneof(fc.constantFrom(0, 1, BLOCK_BYTES), fc.nat(9 * BLOCK_BYTES)), {
  minLength: 1,
  maxLength: 30,
});

test('the steps of a plan cover all bytes of all files, once and in order', () => {
  fc.assert(
    fc.property(SIZES, (sizes) => {
      const plan = new BlockPlan(sizes);
      let file = 0;
      let bytesOfFile = 0;
      let bytes = 0;
      for (let number = 0; number < plan.stepCount; number += 1) {
        const step = plan.at(number);
        assert.equal(step.file, file);
        assert.equal(plan.bytesBefore(number), bytes);
        assert.equal(plan.bytesOfFileBefore(file, number), bytesOfFile);
        if (step.kind === 'block') {
          assert.equal(step.start, bytesOfFile);
          assert.ok(step.length > 0 && step.length <= BLOCK_BYTES);
          bytesOfFile += step.length;
          bytes += step.length;
        } else {
          assert.equal(bytesOfFile, sizes[file]);
          file += 1;
          bytesOfFile = 0;
          assert.equal(plan.firstStepOf(file), number + 1);
        }
      }
      assert.equal(file, sizes.length);
      assert.equal(plan.bytesBefore(plan.stepCount), plan.totalBytes);
    }),
  );
});

test('a step outside the plan is rejected', () => {
  const plan = new BlockPlan([1, 2]);
  for (const step of [-1, 4, 0.5, Number.NaN]) assert.throws(() => plan.at(step), RangeError);
});
