// The real value for each placeholder in the example requests. Other values are used unchanged.
import { EXAMPLE } from '../../../src/http/examples.ts';
import { createAppPassword } from '../app/app-passwords.ts';
import { applicationOf } from '../app/person.ts';
import { addPasskey } from '../app/software-authenticator.ts';
import type { Fixture } from './fixture.ts';
import * as accounts from './fixtures/accounts.ts';
import * as drive from './fixtures/drive.ts';
import { policy } from './fixtures/policies.ts';
import * as drives from './fixtures/shared-drives.ts';
import * as sharing from './fixtures/sharing.ts';

type MakeValue = (fixture: Fixture) => Promise<string | number>;

const idOf =
  (make: (fixture: Fixture) => Promise<{ readonly id: string | number }>): MakeValue =>
  async (fixture) =>
    (await fixture.once(make)).id;
const tokenOf =
  (make: (fixture: Fixture) => Promise<{ readonly token: string }>): MakeValue =>
  async (fixture) =>
    (await fixture.once(make)).token;

export const REAL_VALUES: ReadonlyMap<unknown, MakeValue> = new Map<unknown, MakeValue>([
  [EXAMPLE.file, idOf(drive.file)],
  [EXAMPLE.directory, idOf(drive.directory)],
  [EXAMPLE.picture, idOf(drive.picture)],
  [EXAMPLE.zip, idOf(drive.zip)],
  [EXAMPLE.version, idOf(drive.version)],
  [EXAMPLE.recycled, idOf(drive.recycled)],
  [EXAMPLE.targetDrive, (fixture) => fixture.once(drive.targetDrive)],

  [EXAMPLE.announced, async (fixture) => (await fixture.once(drive.announced)).storageName],
  [EXAMPLE.stored, async (fixture) => (await fixture.once(drive.stored)).storageName],
  [EXAMPLE.announcedAvatar, accounts.announcedAvatar],
  [EXAMPLE.storedAvatar, accounts.storedAvatar],
  [EXAMPLE.uploadSession, idOf(drive.uploadSession)],
  [EXAMPLE.filledSession, idOf(drive.filledSession)],
  [EXAMPLE.tusUpload, idOf(drive.tusUpload)],

  [EXAMPLE.share, idOf(sharing.share)],
  [EXAMPLE.shareToken, tokenOf(sharing.share)],
  [EXAMPLE.shareLink, idOf(sharing.shareLink)],
  [EXAMPLE.shareLinkToken, tokenOf(sharing.shareLink)],
  [EXAMPLE.folderLink, idOf(sharing.folderLink)],
  [EXAMPLE.folderLinkToken, tokenOf(sharing.folderLink)],
  [EXAMPLE.folderLinkUpload, idOf(sharing.folderLinkUpload)],

  [EXAMPLE.transfer, async (fixture) => (await fixture.once(sharing.transfer)).sessionId],
  [EXAMPLE.senderToken, async (fixture) => (await fixture.once(sharing.transfer)).peerToken],
  [EXAMPLE.receiverToken, async (fixture) => (await fixture.once(sharing.receiver)).peerToken],
  [EXAMPLE.awaitedTransfer, async (fixture) => (await fixture.once(sharing.awaitedTransfer)).sessionId],
  [EXAMPLE.awaitedFile, async (fixture) => fileOf(await fixture.once(sharing.awaitedTransfer))],
  [EXAMPLE.storedTransfer, async (fixture) => (await fixture.once(sharing.storedTransfer)).sessionId],
  [EXAMPLE.storedFile, async (fixture) => fileOf(await fixture.once(sharing.storedTransfer))],
  [EXAMPLE.transferUpload, idOf(sharing.transferUpload)],
  [EXAMPLE.device, idOf(sharing.device)],

  [EXAMPLE.task, idOf(drive.task)],
  [EXAMPLE.failedTask, idOf(drive.failedTask)],

  [EXAMPLE.user, async ({ owner }) => owner.id],
  [EXAMPLE.username, async ({ owner }) => owner.username],
  [EXAMPLE.colleague, async (fixture) => (await fixture.once(drives.colleague)).username],
  [EXAMPLE.drive, idOf(drives.sharedDrive)],
  [EXAMPLE.deletedDrive, idOf(drives.deletedDrive)],
  [EXAMPLE.loginSession, accounts.loginSession],
  [EXAMPLE.appPassword, idOf(({ owner }) => createAppPassword(owner))],
  [EXAMPLE.passkey, async ({ owner }) => (await addPasskey(owner)).record.id],
  [EXAMPLE.identity, idOf(accounts.identity)],
  [EXAMPLE.refreshToken, async ({ owner }) => owner.login?.refreshToken ?? ''],
  [EXAMPLE.loginTicket, accounts.loginTicket],
  [EXAMPLE.loginCode, accounts.loginCode],
  [EXAMPLE.enrolmentCode, accounts.enrolmentCode],
  [EXAMPLE.verifiedEmail, (fixture) => fixture.once(accounts.verifiedEmail)],
  [EXAMPLE.resetToken, accounts.resetToken],
  [EXAMPLE.verificationToken, accounts.verificationToken],
  [EXAMPLE.inviteCode, ({ scene }) => scene.holdall.inviteCode()],
  [EXAMPLE.invite, idOf(accounts.invite)],
  [EXAMPLE.notification, accounts.notification],
  [EXAMPLE.newUsername, async ({ name }) => name],
  [EXAMPLE.newEmail, async ({ name }) => applicationOf(name, '').email],
  [EXAMPLE.newPhoneNumber, async ({ name }) => applicationOf(name, '').phoneNumber],
  [EXAMPLE.newInviteCode, async ({ name }) => name],
  [EXAMPLE.otherUsername, async (fixture) => (await fixture.once(drives.other)).username],
  [EXAMPLE.member, idOf(drives.member)],
  [EXAMPLE.driveName, async (fixture) => (await fixture.once(drives.sharedDrive)).name ?? ''],
  [EXAMPLE.policy, idOf(policy)],
]);

function fileOf({ files }: { readonly files: readonly { readonly id: string }[] }): string {
  return files[0]?.id ?? '';
}
