import { insertIdentity } from '../../../src/accounts/single-sign-on/queries.ts';
import type { ShareSummary } from '../../../src/shares/contract.ts';
import { makePng } from '../media/pictures.ts';
import { queueTask } from '../tasks/tasks.ts';
import { ONE_FILE, type PeerSession, TRANSFERS } from '../transfer/transfer.ts';
import { openSession } from '../uploads/upload-session.ts';
import { asProgram, createAppPassword } from './app-passwords.ts';
import type { Holdall } from './holdall.ts';
import type { Person } from './person.ts';
import { setUpTotp } from './second-factor.ts';
import { setAvatar } from './set-avatar.ts';
import { addPasskey } from './software-authenticator.ts';

/** Registers a user with rows in every table that refers to accounts. */
export async function registerFullAccount(holdall: Holdall) {
  const ann = await holdall.register('ann');
  const file = await ann.upload('/Documents/deep/er/file.txt', 'the content');
  await ann.upload('/top.txt', 'at the top');
  const picture = await ann.upload('/picture.png', makePng(), 'image/png');
  await ann.copy(file, '/Pictures');
  await ann.ask('PUT', `/api/v2/files/${file.id}/star`);
  await ann.fetch('PUT', `/api/v2/files/${picture.id}/content`, {
    body: makePng(),
    headers: { 'content-type': 'image/png' },
  });
  const share = await ann.ask<ShareSummary>('POST', '/api/v2/shares', { body: { fileId: file.id } });
  const link = await ann.ask<{ token: string }>('POST', `/api/files/${file.id}/share-links`);
  const { token: folderLink } = await ann.ask<{ token: string }>('POST', '/api/v2/folder-links', {
    body: { directoryId: null, mode: 'BOTH' },
  });
  const { url: zip } = await ann.ask<{ url: string }>('POST', '/api/v2/downloads', {
    body: { fileIds: [file.id, picture.id] },
  });
  await queueTask(ann, file);
  await openSession(ann, { path: '/', filename: 'unfinished.bin', size: 5 });
  const { calls: cancelled } = await openSession(ann, { path: '/', filename: 'cancelled.bin', size: 5 });
  await cancelled.cancel();
  const transfer = await ann.ask<PeerSession>('POST', TRANSFERS, {
    body: { mode: 'OFFLINE', files: ONE_FILE },
  });
  await ann.ask('POST', `${TRANSFERS}/${transfer.sessionId}/files/${transfer.files[0]?.id}/content`, {
    body: Buffer.from('hello'),
    headers: { 'content-type': 'application/octet-stream' },
  });
  const { password } = await createAppPassword(ann);
  const program = asProgram(ann, password);
  await program.fetch('LOCK', '/dav/top.txt', {
    body: '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>',
    headers: { 'content-type': 'application/xml' },
  });
  await setUpTotp(ann, holdall.clock);
  await addPasskey(ann);
  await linkIdentity(holdall, ann);
  await setAvatar(ann);
  await ann.recycle(await ann.upload('/gone.txt', 'in the bin'));
  await holdall.app.activity.flush();
  return { ann, file, share, link, folderLink, zip, transfer, program };
}

/** Inserts an identity directly, so no provider is needed. */
async function linkIdentity({ app, clock }: Holdall, { id, username }: Person): Promise<void> {
  const identity = { accountId: id, issuer: 'https://id.example.org', subject: username, now: clock.now() };
  await app.database.transact((tx) => insertIdentity(tx, identity));
}
