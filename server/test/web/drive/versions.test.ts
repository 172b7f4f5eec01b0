// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { PASSWORD } from '../../support/app/person.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits({ browser: { isShared: false } });

for (const look of [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', ...PHONE },
] as const) {
  test(
    `versions are saved, restored and deleted in the details (${look.colorScheme}, ${look.viewport.width} pixels)`,
    look.colorScheme === 'light' ? {} : inFull,
    async () => {
      const ida = await (await holdall.register('ida')).logIn(PASSWORD, 'mobile');
      const file = await ida.upload('/notes.txt', 'the first');
      const replace = (body: string) => ida.ask('PUT', `/api/v2/files/${file.id}/content`, { body });
      await replace('the second one');
      await replace('the third content');
      const visit = await begin({ ...look, acceptDownloads: true });
      const { page } = visit;
      await visit.logIn(ida, `/drive?select=${file.id}`);
      await page.getByRole('row', { name: /notes\.txt/ }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Details' }).click();
      const isDocked = look.viewport.width > 1200;
      const details = page.getByRole(isDocked ? 'complementary' : 'dialog', { name: 'Details' });
      const list = details.getByRole('list');
      await list.getByRole('listitem').nth(1).waitFor();
      await visit.checkAccessible();

      const saving = page.waitForEvent('download');
      await list
        .getByRole('button', { name: /^Download/ })
        .nth(1)
        .click();
      const saved = await saving;
      assert.equal(saved.suggestedFilename(), 'notes.txt');
      assert.equal(await readFile(await saved.path(), 'utf8'), 'the first');

      await list
        .getByRole('button', { name: /^Restore/ })
        .nth(1)
        .click();
      await page.getByText('Restored the version.').waitFor();
      assert.equal((await ida.download(file)).toString(), 'the first');

      // The list shows the restored version once it has been read again.
      const newest = list.getByRole('listitem').filter({ hasText: '17 bytes' });
      await newest.getByRole('button', { name: /^Delete/ }).click();
      const question = page.getByRole('dialog', { name: 'Delete this version?' });
      await visit.checkAccessible();
      await question.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('Deleted the version.').waitFor();
      await list.getByRole('listitem').nth(1).waitFor({ state: 'detached' });
      const left = await ida.ask<readonly { size: number }[]>('GET', `/api/v2/files/${file.id}/versions`);
      assert.deepEqual(
        left.map(({ size }) => size),
        [14],
      );
    },
  );
}
