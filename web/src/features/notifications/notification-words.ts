import { isolate, showMarks } from '../../../../client/src/common/direction-marks.ts';
import { findProgramName } from '../../common/program-name.ts';
import { formatBytes, formatTime } from '../../messages/formats.ts';
import { currentLanguage, messages } from '../../messages/i18n.ts';
import type { FactsOf, NotificationKind, NotificationRecord } from './notification.ts';

/** What a notification says. */
interface NotificationWords {
  readonly sentence: string;
  /** A second, less prominent line. */
  readonly detail?: string | undefined;
}

/** The texts of each kind. A new kind does not compile until it has one. */
const WORDS: { readonly [K in NotificationKind]: (facts: FactsOf<K>) => NotificationWords } = {
  DRIVE_MEMBER: ({ driveName: drive, role, isNew, byName }) => {
    const names = { drive, role: messages.t(`notifications.roles.${role}`) };
    const how = isNew ? 'added' : 'changed';
    return {
      sentence:
        byName === null
          ? messages.t(`notifications.DRIVE_MEMBER.${how}`, names)
          : messages.t(`notifications.DRIVE_MEMBER.${how}By`, { ...names, name: byName }),
    };
  },
  LINK_FILES: ({ title, files: count, bytes, senders, driveName }) => ({
    sentence:
      senders.length === 0
        ? messages.t('notifications.LINK_FILES.arrived', { title, count })
        : messages.t('notifications.LINK_FILES.arrivedFrom', { title, count, senders: listOf(senders) }),
    detail: join([formatBytes(bytes), driveName]),
  }),
  TRANSFER_FETCHED: ({ files, fileName: name }) => {
    if (name === '') return { sentence: messages.t('notifications.TRANSFER_FETCHED.unnamed') };
    const count = files - 1;
    return {
      sentence:
        count > 0
          ? messages.t('notifications.TRANSFER_FETCHED.several', { name, count })
          : messages.t('notifications.TRANSFER_FETCHED.one', { name }),
    };
  },
  SHARE_ENDED: ({ of, name, reason, expiresAt }) => {
    const time =
      expiresAt === null ? messages.t('notifications.SHARE_ENDED.soon') : formatTime(toIso(expiresAt));
    return { sentence: messages.t(`notifications.SHARE_ENDED.${of}.${reason}`, { name, time }) };
  },
  SECURITY: ({ event, program, address }) => ({
    sentence:
      event === 'NEW_LOGIN'
        ? messages.t('notifications.SECURITY.newLogin')
        : messages.t(`security.changes.${event}`),
    detail: join([
      programOf(program),
      address === null ? null : messages.t('notifications.SECURITY.from', { address }),
    ]),
  }),
  DRIVE_FULL: ({ driveName: drive, usedBytes, quotaBytes }) => ({
    sentence:
      drive === null
        ? messages.t('notifications.DRIVE_FULL.own')
        : messages.t('notifications.DRIVE_FULL.shared', { drive }),
    detail: messages.t('storage.used', { used: formatBytes(usedBytes), quota: formatBytes(quotaBytes) }),
  }),
  TASK_FAILED: ({ type, error }) => ({
    sentence: messages.t(`notifications.TASK_FAILED.${taskTypeOf(type)}`),
    detail: inEnglish(error),
  }),
  SERVICE_FAULT: ({ fault, name, message }) => ({
    sentence: messages.t(`notifications.SERVICE_FAULT.${fault}`, { name }),
    // Says what administrators need to find the cause, so it is better in English than missing.
    detail: showMarks(message),
  }),
};

/** What a notification says, in the language of the page. */
export function wordsOf({ kind, data }: NotificationRecord): NotificationWords {
  // A newer service may send kinds that this page does not know.
  if (!Object.hasOwn(WORDS, kind)) return { sentence: messages.t('notifications.other') };
  // The record's type says that the facts are those of the kind, which the compiler cannot follow here.
  return (WORDS[kind] as (facts: typeof data) => NotificationWords)(data);
}

const TASK_TYPES = ['ARCHIVE', 'EXTRACT', 'MEDIA_META', 'STORAGE_POLICY_MIGRATION'] as const;

function taskTypeOf(type: string) {
  return TASK_TYPES.find((known) => known === type) ?? 'OTHER';
}

/** The service writes about failures in English. Otherwise, the page of tasks explains them. */
function inEnglish(sentence: string): string | undefined {
  return currentLanguage() === 'en' && sentence !== '' ? showMarks(sentence) : undefined;
}

/** The name of a program and its system, or what the program calls itself. */
function programOf(userAgent: string | null): string | null {
  const found = findProgramName(userAgent);
  if (found === undefined) return userAgent;
  const { program, system } = found;
  return system === undefined ? program : messages.t('notifications.SECURITY.programOn', { program, system });
}

function listOf(names: readonly string[]): string {
  return new Intl.ListFormat(currentLanguage(), { type: 'conjunction' }).format(names);
}

function join(parts: readonly (string | null)[]): string | undefined {
  const known = parts.filter((part): part is string => part !== null && part !== '');
  return known.length === 0 ? undefined : known.map(isolate).join(' · ');
}

function toIso(instant: number): string {
  return new Date(instant).toISOString();
}
