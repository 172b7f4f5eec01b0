// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MINUTE, SECOND } from '../../src/base/clock.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Instances } from '../support/app/instances.ts';
import { ServiceProcess } from '../support/app/service-process.ts';
import { findMail, mailEnvironment, makeDue, queueLetter } from '../support/mail/mailing-holdall.ts';
import { TestSmtpServer } from '../support/mail/smtp-server.ts';
import { Gate } from '../support/network/gate.ts';

const smtp = await TestSmtpServer.start();
const gate = new Gate({ host: '127.0.0.1', port: smtp.port });
await gate.open();
after(() => gate.close());
const holdall = await startHoldall({ env: mailEnvironment(gate) });
const { app, clock } = holdall;
clock.stop();

const countMails = async () => (await app.database.db.selectFrom('mail').select('id').execute()).length;

test('mails wait while the server cannot be reached, and one fault ends the run', async () => {
  await gate.close();
  const addresses = Array.from({ length: 10 }, (_, index) => `waiting-${index}@example.org`);
  for (const address of addresses) await queueLetter(holdall, address);
  await app.mailDelivery.runOnce();
  const rows = await app.database.db.selectFrom('mail').selectAll().execute();
  assert.equal(rows.length, addresses.length);
  const tried = rows.filter(({ attempts }) => attempts > 0);
  assert(tried.length > 0 && tried.length <= 3, `${tried.length} were tried`);
  for (const { last_error: error } of tried) assert.match(error ?? '', /ECONNREFUSED/);
  await gate.open();
  clock.advance(MINUTE);
  await app.mailDelivery.runOnce();
  for (const address of addresses) assert.equal(smtp.mailsTo(address).length, 1, address);
  assert.equal(await countMails(), 0);
});

test('a mail whose connection breaks is sent again', async () => {
  const to = 'cut@example.org';
  let isFirst = true;
  smtp.answerMail = () => {
    if (isFirst) smtp.cutConnections();
    const answer = isFirst ? { code: 451, text: 'cut' } : undefined;
    isFirst = false;
    return answer;
  };
  await queueLetter(holdall, to);
  await app.mailDelivery.runOnce();
  assert((await findMail(holdall, to))?.next_attempt_at);
  clock.advance(MINUTE);
  await app.mailDelivery.runOnce();
  smtp.answerMail = () => undefined;
  assert.equal(smtp.mailsTo(to).length, 1);
});

test('a server that does not answer delays no request', async () => {
  const to = 'held@example.org';
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  smtp.answerMail = async () => {
    hold();
    await isReleased;
    return undefined;
  };
  await queueLetter(holdall, to);
  const sending = app.mailDelivery.runOnce();
  await isHeld;
  assert(await queueLetter(holdall, 'behind@example.org'), 'another mail is queued meanwhile');
  smtp.answerMail = () => undefined;
  release();
  await sending;
  await smtp.waitForMails(to, 1);
});

test('a stop ends a send that hangs after five seconds, and its mail stays due', async (t) => {
  const to = 'handed-back@example.org';
  const stopping = await startHoldall({ beside: holdall, env: mailEnvironment(gate) });
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  smtp.answerMail = () => {
    hold();
    return new Promise<undefined>(() => {});
  };
  await queueLetter(stopping, to);
  const sending = stopping.app.mailDelivery.runOnce();
  await isHeld;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const stopped = stopping.app.mailDelivery.stop();
  t.mock.timers.tick(5 * SECOND);
  t.mock.timers.reset();
  await Promise.all([stopped, sending]);
  const row = await findMail(holdall, to);
  assert.deepEqual([row?.next_attempt_at, row?.last_error], [clock.now(), null]);
  smtp.answerMail = () => undefined;
  await app.mailDelivery.runOnce();
  assert.equal(smtp.mailsTo(to).length, 1);
});

test('a service that is killed after the server accepted a mail sends one more copy, and loses none', async () => {
  const to = 'killed@example.org';
  const process = await ServiceProcess.start({
    HOLDALL_DATA_DIR: holdall.dataDir,
    ...(holdall.databaseUrl === undefined ? {} : { HOLDALL_DATABASE_URL: holdall.databaseUrl }),
    ...holdall.storage.env,
    ...mailEnvironment(gate),
  });
  holdall.endBeforeRemoval(() => process.kill());
  // The service kills itself between the claim and the deletion: the answer comes only after its end.
  smtp.answerMail = async () => {
    smtp.answerMail = () => undefined;
    await process.kill();
    return undefined;
  };
  await queueLetter(holdall, to);
  await makeDue(holdall);
  await smtp.waitForMails(to, 1);
  const claimed = await findMail(holdall, to);
  assert(claimed, 'the mail is still queued');
  assert.equal(claimed.attempts, 1);
  // The claim and the lease of the killed service end after a minute.
  clock.advance(3 * MINUTE);
  await app.mailDelivery.runOnce();
  const copies = smtp.mailsTo(to);
  assert.equal(copies.length, 2);
  assert.equal(new Set(copies.map(({ headers }) => headers.get('message-id'))).size, 1);
  assert.equal(await findMail(holdall, to), undefined);
  await app.mailDelivery.runOnce();
  assert.equal(smtp.mailsTo(to).length, 2);
});

test('two instances send each mail once', async () => {
  await Instances.start(2, holdall, mailEnvironment(gate));
  const addresses = Array.from({ length: 40 }, (_, index) => `once-${index}@example.org`);
  for (const address of addresses) await queueLetter(holdall, address);
  await makeDue(holdall);
  for (const address of addresses) await smtp.waitForMails(address, 1);
  for (const address of addresses) assert.equal(smtp.mailsTo(address).length, 1, address);
});
