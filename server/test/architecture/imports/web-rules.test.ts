// tier: default
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { toModule } from '../source/source-module.ts';
import { findImpureFaults, findWebFaults, PURE_FILES } from './web-rules.ts';

const faultsOf = (...files: readonly (readonly [path: string, text: string])[]) =>
  findWebFaults(files.map(([path, text]) => toModule(path, text)));

test('only api/contract.ts may import types from the server, and only those of its contract', () => {
  const [file, contract] = ['web/src/api/contract.ts', '../../../server/src/app/contract.ts'];
  assert.deepEqual(faultsOf([file, `export type { SessionEnd } from '${contract}';`]), []);
  assert.match(faultsOf([file, `export { User } from '${contract}';`]).join(), /only types/);
  const inside = "export type { Drive } from '../../../server/src/drive/drive.ts';";
  assert.match(faultsOf([file, inside]).join(), /contract\.ts only/);
  const elsewhere = faultsOf(['web/src/shell/shell.tsx', `import type { User } from '${contract}';`]);
  assert.match(elsewhere.join(), /only web\/src\/api\/contract\.ts/);
});

test('any file may import the pure files of the server, which import only each other', () => {
  const tokens = 'server/src/content-search/analysis/tokens.ts';
  assert.deepEqual(faultsOf(['web/src/ui/frame.tsx', `import { foldRun } from '../../../${tokens}';`]), []);
  const terms = "import { analyseText } from '../../../server/src/content-search/analysis/terms.ts';";
  assert.match(faultsOf(['web/src/ui/frame.tsx', terms]).join(), /only web/);
  const withImport = (specifier: string) =>
    findImpureFaults(
      Array.from(PURE_FILES, (file) => toModule(file, file === tokens ? `import '${specifier}';` : '')),
    );
  assert.deepEqual(withImport('../../base/text/names/accents.ts'), []);
  assert.match(withImport('node:buffer').join(), /tokens\.ts:1 imports "node:buffer"/);
  assert.match(withImport('./terms.ts').join(), /the web shares it/);
  assert.match(findImpureFaults([]).join(), /does not exist/);
});

test('any file may import types and errors of the client library, but only some may import requests', () => {
  const errors = "import { HoldallError } from '../../../client/src/errors/errors.ts';";
  const types = "import type { User } from '../../../client/src/client.ts';";
  const requester = "import { Requester } from '../../../client/src/requests/requester.ts';";
  assert.deepEqual(faultsOf(['web/src/ui/frame.tsx', errors]), []);
  assert.deepEqual(faultsOf(['web/src/ui/frame.tsx', types]), []);
  assert.match(faultsOf(['web/src/ui/frame.tsx', types.replace('type ', '')]).join(), /only types/);
  assert.deepEqual(faultsOf(['web/src/api/ask.ts', requester]), []);
  assert.match(faultsOf(['web/src/ui/frame.tsx', requester]).join(), /ask\.ts/);
  const drive = "import { Drive } from '../../../client/src/parts/drive.ts';";
  assert.match(faultsOf(['web/src/api/ask.ts', drive]).join(), /does not share/);
});

const importing = (from: string, to: string) =>
  faultsOf([
    `web/src/${from}`,
    `import { x } from './${path.posix.relative(path.posix.dirname(from), to)}';`,
  ]);

test('a file may import from lower floors, and not from higher ones', () => {
  assert.deepEqual(importing('features/drive/entry-menu.tsx', 'ui/tell.ts'), []);
  assert.deepEqual(importing('pages/drive/directory.tsx', 'features/drive/entry-browser.tsx'), []);
  assert.match(importing('common/tell.ts', 'features/drive/go.ts').join(), /drive is on a higher floor/);
  assert.match(importing('api/ask.ts', 'messages/i18n.ts').join(), /higher/);
  assert.match(importing('ui/link.tsx', 'features/live/live.tsx').join(), /higher/);
  assert.match(importing('features/drive/menu.tsx', 'shell/shell.tsx').join(), /higher/);
  assert.match(importing('shell/shell.tsx', 'pages/drive/drive-page.tsx').join(), /higher/);
  assert.match(importing('pages/bin/bin-page.tsx', 'router.tsx').join(), /higher/);
  assert.deepEqual(importing('router.tsx', 'pages/bin/bin-page.tsx'), []);
});

test('features import each other only in the order of their rows', () => {
  assert.deepEqual(importing('features/drive/use-entry-actions.tsx', 'features/shares/share-dialog.tsx'), []);
  assert.match(importing('features/shares/row.tsx', 'features/drive/menu.tsx').join(), /higher/);
  assert.match(importing('features/shares/row.tsx', 'features/tasks/row.tsx').join(), /one floor/);
});

test('a page does not import another page', () => {
  assert.match(importing('pages/bin/bin-page.tsx', 'pages/drive/trail.tsx').join(), /one floor/);
  assert.match(importing('pages/tasks-page.tsx', 'pages/shares-page.tsx').join(), /one floor/);
});

test('style sheets and types also belong to a floor', () => {
  assert.match(importing('ui/frame.tsx', 'features/drive/grid.module.css').join(), /higher/);
  const type = "import type { Entry } from '../features/drive/entry.ts';";
  assert.match(faultsOf(['web/src/ui/frame.tsx', type]).join(), /higher/);
});

test('a folder that is in no row of the floors is found', () => {
  assert.match(faultsOf(['web/src/features/games/chess.ts', '']).join(), /games is in no row/);
  assert.match(faultsOf(['web/src/helper.ts', '']).join(), /helper\.ts is in no row/);
});

test('files that import each other are found, even if they only import types', () => {
  const one = ['web/src/ui/one.ts', "import type { Two } from './two.ts';"] as const;
  const two = ['web/src/ui/two.ts', "import type { One } from './one.ts';"] as const;
  assert.match(faultsOf(one, two).join(), /ring/);
});

test('folders of a feature that import each other are found', () => {
  const uploads = 'web/src/features/uploads';
  const faults = faultsOf(
    [`${uploads}/queue/one.ts`, "import { two } from '../tray/two.ts';"],
    [`${uploads}/tray/two.ts`, ''],
    [`${uploads}/tray/three.ts`, "import type { Four } from '../queue/four.ts';"],
    [`${uploads}/queue/four.ts`, ''],
  );
  assert.match(faults.join(), /folders import each other: \S+queue → \S+tray → \S+queue/);
});

test('only some parts send requests themselves', () => {
  assert.match(
    faultsOf(['web/src/pages/drive/drive-page.tsx', "await fetch('/api/files/list');"]).join(),
    /ask\.ts/,
  );
  assert.deepEqual(faultsOf(['web/src/api/ask.ts', "await fetch('/api/files/list');"]), []);
  assert.deepEqual(faultsOf(['web/src/pages/drive/drive-page.tsx', 'void refetch();']), []);
});
