/**
 * Messages of the service that users see, with the keys of the client's translations. The translations use
 * the client's terms, such as folder for directory.
 */
const SENTENCES = {
  'The disk of this service is almost full, so nothing can be uploaded. Deleting still works.':
    'common.diskAlmostFull',
  'The disk of this service is full. Ask your administrator to make room.': 'common.diskFull',
  'There is not enough storage space left for this file and the other uploads that are not completed yet.':
    'common.otherUploads',
  'Your stored transfers would use more room than one account may have. End one of them first.':
    'common.transferShare',
  'This drive has too many files and directories. Those in the recycle bin count until they are purged.':
    'common.tooManyEntries',
  'More than 100,000 files and directories cannot be copied at once.': 'common.tooManyToCopy',
  'More than 100,000 files and directories cannot be downloaded at once.': 'common.tooManyToDownload',
  'There is no such file or directory.': 'common.error404',
  'There is no such directory.': 'common.error404',
  'A file or directory no longer exists.': 'common.error404',
  'A directory cannot be put into itself or below itself.': 'common.intoItself',
  'This link takes no more files.': 'service.linkFull',
  'A profile picture must not be larger than 5 MiB.': 'service.avatarTooLarge',
  'A logo must not be larger than 5 MiB.': 'service.logoTooLarge',
  'The picture could not be decoded in time.': 'service.pictureTooSlow',
  'The greeting must be at most 300 characters in 6 lines.': 'service.greetingTooLong',
  'The file is larger than you may upload.': 'service.largerThanAllowed',
  'A file is larger than you may upload.': 'service.largerThanAllowed',
  'A file is larger than the storage takes.': 'service.largerThanStorage',
  'The storage cannot store a file of this size.': 'service.largerThanStorage',
  'There is not enough storage space left for this.': 'service.overQuota',
  'There is no room to keep the former content of the file. Empty the recycle bin, then try again.':
    'service.noRoomForVersion',
  'There is not enough room for these files at the moment.': 'service.noRoomForTransfer',
  'You have too many transfers at the same time. End one of them first.': 'service.tooManyTransfers',
  'This file cannot be sent through this link.': 'service.notThroughLink',
  'You have changed your logins too often today. Please try again later.': 'service.loginChanges',
  'The server is busy. Please try again in a moment.': 'service.busy',
  'Too many archives are being downloaded. Please wait until one has ended.': 'service.tooManyArchives',
  'Too many uploads are open. Please try again later.': 'service.linkUploads',
  'Too many uploads are open. Complete or cancel some of them first.': 'service.openUploads',
  '500 of your background tasks have not ended yet. Try again when some of them have ended.':
    'service.tooManyTasks',
  'There are too many transfers at the moment. Please wait a while.': 'service.transfersBusy',
  'There is no free pickup code at the moment.': 'service.noPickupCode',
  'The database does not answer. Please try again.': 'service.databaseSilent',
  'The database took too long to answer. Please try again.': 'service.databaseSilent',
  'The database is busy. Please try again.': 'service.databaseBusy',
  'The database has too many connections. Please try again.': 'service.databaseBusy',
  'The database cannot be reached. Please try again.': 'service.databaseUnreachable',
  'The database is unreachable. Please resume the upload later.': 'service.databaseUnreachable',
  'The disk of the database is full.': 'service.databaseDiskFull',
  'The database is read-only at the moment.': 'service.databaseReadOnly',
  'The disk of the database is read-only.': 'service.databaseReadOnly',
  'The database cannot be written.': 'service.databaseReadOnly',
  'The database has not enough memory.': 'service.databaseFault',
  'The disk of the database does not work.': 'service.databaseFault',
  'The file of the database cannot be opened.': 'service.databaseFault',
  'The storage cannot be written.': 'service.storageReadOnly',
  'The storage cannot be reached.': 'service.storageUnreachable',
  'The storage does not respond.': 'service.storageUnreachable',
  'The object store cannot be reached.': 'service.storageUnreachable',
  'The storage of this file is not connected.': 'service.storageMissing',
  'Some of these files were just removed. Please try again.': 'service.justRemoved',
  'This directory is changing too fast to be copied. Please try again.': 'service.changingFolder',
  'The link was changed at the same moment.': 'service.justChanged',
  'The share was changed at the same moment.': 'service.justChanged',
  'The service is shutting down.': 'service.shuttingDown',
  'This drive has 2000 links already. Please delete one that is no longer needed.': 'service.tooManyLinks',
  'An account can have 50 app passwords. Please delete one.': 'service.tooManyAppPasswords',
  'An account can have 25 passkeys. Please delete one.': 'service.tooManyPasskeys',
  'There can be 1000 invites. Please delete one.': 'service.tooManyInvites',
  'Your e-mail address is already verified.': 'service.alreadyVerified',
  'Too many mails are waiting to be sent. Try again later.': 'service.mailsWaiting',
  'This server sends no mail. Ask your administrator for help.': 'service.mailOff',
  'Your profile has no e-mail address.': 'service.noEmail',
  'A drive needs a manager. Make someone else a manager first.': 'drives.lastManager',
  'This account is a member of the drive already.': 'drives.isMember',
  'There is no such account.': 'drives.noAccount',
  'This account is a member of too many drives.': 'drives.tooManyOfPerson',
  'This is not the name of the drive.': 'drives.wrongName',
  'You may not create shared drives here.': 'drives.notAllowed',
  'Your role in this drive does not allow this.': 'drives.roleTooLow',
  'There are 100 policies already, which is the most.': 'service.tooManyPolicies',
} as const;

type SentenceKey = (typeof SENTENCES)[keyof typeof SENTENCES];

const KEYS: ReadonlyMap<string, SentenceKey> = new Map(Object.entries(SENTENCES));

const OF_OWN_BYTES: ReadonlySet<SentenceKey> = new Set([
  'common.otherUploads',
  'service.overQuota',
  'service.largerThanAllowed',
]);

/** Whether the sentence is about a limit other than the user's own quota. */
export function isOtherLimit(sentence: string): boolean {
  const key = keyOfSentence(sentence);
  return key !== undefined && !OF_OWN_BYTES.has(key);
}

/** The key of the translation; undefined for a sentence that has none. */
export function keyOfSentence(sentence: string): SentenceKey | undefined {
  return KEYS.get(sentence);
}
