// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../../support/app/holdall.ts';
import { setAdminScene } from '../../support/web/admin-scene.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const { chief } = await setAdminScene(holdall);
/** The same service with a limit of free space that no disk meets. */
const fullDisk = await startHoldall({
  beside: holdall,
  env: { HOLDALL_MIN_FREE_DISK_BYTES: String(2 ** 52) },
});
const browser = await startBrowser();

for (const [language, show, sentence, minimum] of [
  ['en', 'Show uploads', 'The server is almost full.', /^Uploads are rejected below/],
  ['zh-CN', '展开上传列表', '服务器空间即将用尽，暂停上传。', /^可用空间低于 .* 时拒绝上传$/],
] as const) {
  test(`an almost full disk is reported to users and admins (${language})`, async () => {
    const visit = await Visit.begin(browser, fullDisk, { viewport: { width: 390, height: 844 } });
    const { page } = visit;
    await visit.addScript(`localStorage.setItem('holdall.language', '${language}')`);
    await visit.logIn(chief);
    const file = { name: 'photo.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(10) };
    await page.locator('input[name=files]').setInputFiles(file);
    await page.getByRole('button', { name: show }).click();
    await page.getByText(sentence).first().waitFor();
    await page.goto('/admin/settings');
    await page.getByText(minimum).waitFor();
    if (language === 'en') await visit.checkAccessible();
    visit.checkClean();
  });
}

test('nothing is left of the uploads to the full disk', async () => {
  const sessions = await holdall.app.database.db.selectFrom('upload_session').select('id').execute();
  assert.deepEqual(sessions, []);
});
