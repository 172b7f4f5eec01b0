/**
 * Sentences of the service that people see, with the keys of the client's words for them: a directory is a
 * folder there.
 */
const SENTENCES = {
  'The disk of this service is almost full, so nothing can be uploaded. Deleting still works.':
    'common.diskAlmostFull',
  'The disk of this service is full. Deleting still works.': 'common.diskFull',
  'There is not enough storage space left for this file and the other uploads that are not completed yet.':
    'common.otherUploads',
  'Your stored transfers would use more room than one account may have. End one of them first.':
    'common.transferShare',
  'Your drive has too many files and directories. Those in the recycle bin count until they are purged.':
    'common.tooManyEntries',
  'More than 100,000 files and directories cannot be copied at once.': 'common.tooManyToCopy',
  'More than 100,000 files and directories cannot be downloaded at once.': 'common.tooManyToDownload',
  'There is no such file or directory.': 'common.error404',
  'There is no such directory.': 'common.error404',
  'A file or directory no longer exists.': 'common.error404',
  'A directory cannot be put into itself or below itself.': 'common.intoItself',
} as const;

type SentenceKey = (typeof SENTENCES)[keyof typeof SENTENCES];

const KEYS: ReadonlyMap<string, SentenceKey> = new Map(Object.entries(SENTENCES));

/** Whether the sentence tells of another limit than the bytes of the user's own drive. */
export function isOtherLimit(sentence: string): boolean {
  const key = keyOfSentence(sentence);
  return key !== undefined && key !== 'common.otherUploads';
}

/** The key of the translation; undefined for a sentence that has none. */
export function keyOfSentence(sentence: string): SentenceKey | undefined {
  return KEYS.get(sentence);
}
