// tier: default
// runs on: sqlite
// From uploads to passages, with the processes that take texts from files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { takeTexts, withBrackets } from '../support/content-search/plain-texts.ts';
import { makeDocx, paragraph } from '../support/documents/office-files.ts';
import { makeUnicodePdf } from '../support/documents/unicode-pdf.ts';
import { find } from '../support/drive/search.ts';

const holdall = await startHoldall();
const alice = await holdall.register('alice');

const MAIL = [
  'From: Ada <ada@example.org>',
  'To: Bob <bob@example.org>',
  'Subject: =?utf-8?q?Caf=C3=A9?=',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'See you at the harbour.',
].join('\r\n');

test('words in documents, mails and pages are found, whatever the files are called', async () => {
  await alice.upload('/contract', makeDocx(paragraph('The notice period is three months.')));
  const pages = [['Die Kündigungsfrist beträgt drei Monate.']];
  await alice.upload('/scan.pdf', new Uint8Array(makeUnicodePdf({ pages })));
  await alice.upload('/message.eml', MAIL);
  await alice.upload('/page.html', '<html><style>hidden</style><p>visible <b>wor</b>ds');
  await alice.upload('/notes.txt', new Uint8Array(Buffer.from('Gr\xfc\xdfe aus M\xfcnchen', 'latin1')));
  await alice.upload('/picture.png', new Uint8Array(Buffer.from('89504e470d0a1a0a', 'hex')));
  await takeTexts(holdall);
  for (const [q, expected] of [
    ['notice months', '/contract The [notice] period is three [months].'],
    ['kundigungsfrist', '/scan.pdf Die [Kündigungsfrist] beträgt drei Monate.'],
    ['harbour', undefined],
    ['cafe', undefined],
    ['words', '/page.html visible [words]'],
    ['munchen', '/notes.txt Grüße aus [München]'],
  ] as const) {
    const { items, total } = await find(alice, { in: 'content', q });
    assert.equal(total, 1, q);
    const found = `${items[0]?.path} ${withBrackets(items[0]?.snippet)}`;
    if (expected === undefined) assert.match(found, /^\/message\.eml .*\[/);
    else assert.equal(found, expected);
  }
  assert.equal((await find(alice, { in: 'content', q: 'hidden' })).total, 0);
  const { indexed, withoutText } = await holdall.app.contentSearch.describe();
  assert.deepEqual([indexed, withoutText], [5, 1]);
});
