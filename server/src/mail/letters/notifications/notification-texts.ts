import type { NotificationKind } from '../../../base/domain/notifications.ts';
import type { LetterTexts } from '../letter-texts.ts';
import { DRIVE_FULL } from './drive-full.ts';
import { DRIVE_MEMBER } from './drive-member.ts';
import { LINK_FILES } from './link-files.ts';
import { SECURITY } from './security.ts';
import { SERVICE_FAULT } from './service-fault.ts';
import { SHARE_ENDED } from './share-ended.ts';
import { TASK_FAILED } from './task-failed.ts';
import { TRANSFER_FETCHED } from './transfer-fetched.ts';

/** The texts of the letters with notifications. */
export const NOTIFICATION_TEXTS: { readonly [K in NotificationKind]: LetterTexts<K> } = {
  DRIVE_MEMBER,
  LINK_FILES,
  TRANSFER_FETCHED,
  SHARE_ENDED,
  SECURITY,
  DRIVE_FULL,
  TASK_FAILED,
  SERVICE_FAULT,
};
