import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toModule } from './source-module.ts';
import { findWebFaults } from './web-rules.ts';

const faultsOf = (...files: readonly (readonly [path: string, text: string])[]) =>
  findWebFaults(files.map(([path, text]) => toModule(path, text)));

test('only api/contract.ts may import from the server, and only types of its contract', () => {
  const [file, contract] = ['web/src/api/contract.ts', '../../../server/src/app/contract.ts'];
  assert.deepEqual(faultsOf([file, `export type { User } from '${contract}';`]), []);
  assert.match(faultsOf([file, `export { User } from '${contract}';`]).join(), /only types/);
  const inside = "export type { Drive } from '../../../server/src/drive/drive.ts';";
  assert.match(faultsOf([file, inside]).join(), /contract\.ts only/);
  const elsewhere = faultsOf(['web/src/drive/drive-page.tsx', `import type { User } from '${contract}';`]);
  assert.match(elsewhere.join(), /only web\/src\/api\/contract\.ts/);
});

test('what all parts stand on does not know them', () => {
  assert.match(
    faultsOf(['web/src/common/tell.ts', "import { go } from '../drive/go.ts';"]).join(),
    /stands below/,
  );
  assert.match(faultsOf(['web/src/api/ask.ts', "import { t } from '../messages/i18n.ts';"]).join(), /below/);
  assert.deepEqual(faultsOf(['web/src/common/tell.ts', "import { ask } from '../api/ask.ts';"]), []);
  assert.match(
    faultsOf(['web/src/bin/bin-page.tsx', "import { router } from '../router.tsx';"]).join(),
    /part/,
  );
});

test('parts that use each other in a ring are found', () => {
  const one = ['web/src/drive/one.ts', "import { two } from '../shares/two.ts';"] as const;
  const two = ['web/src/shares/two.ts', "import { one } from '../drive/one.ts';"] as const;
  assert.match(faultsOf(one, two).join(), /ring/);
});

test('only some parts ask the service by themselves', () => {
  assert.match(
    faultsOf(['web/src/drive/drive-page.tsx', "await fetch('/api/files/list');"]).join(),
    /ask\.ts/,
  );
  assert.deepEqual(faultsOf(['web/src/api/ask.ts', "await fetch('/api/files/list');"]), []);
  assert.deepEqual(faultsOf(['web/src/drive/drive-page.tsx', 'void refetch();']), []);
});
