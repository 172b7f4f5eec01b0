import type { DriveRole } from '../../../base/domain/drives.ts';
import type { LetterTexts } from '../letter-texts.ts';
import { filesPageOf } from './addresses.ts';

const ROLES: Readonly<Record<DriveRole, string>> = {
  VIEWER: 'a viewer',
  EDITOR: 'an editor',
  MANAGER: 'a manager',
};
const CHINESE_ROLES: Readonly<Record<DriveRole, string>> = {
  VIEWER: '查看者',
  EDITOR: '编辑者',
  MANAGER: '管理者',
};

export const DRIVE_MEMBER: LetterTexts<'DRIVE_MEMBER'> = {
  en: ({ driveId, driveName, role, isNew, byName }, { page }) => ({
    subject: isNew ? `You can now use “${driveName}”` : `Your role in “${driveName}” has changed`,
    paragraphs: [
      isNew
        ? byName === null
          ? `You were added to the shared drive “${driveName}” as ${ROLES[role]}.`
          : `${byName} added you to the shared drive “${driveName}” as ${ROLES[role]}.`
        : byName === null
          ? `You are now ${ROLES[role]} of the shared drive “${driveName}”.`
          : `${byName} made you ${ROLES[role]} of the shared drive “${driveName}”.`,
    ],
    action: { label: 'Open drive', url: page(filesPageOf(driveId)) },
  }),
  'zh-CN': ({ driveId, driveName, role, isNew, byName }, { page }) => ({
    subject: isNew ? `您已加入“${driveName}”` : `您在“${driveName}”中的角色已更改`,
    paragraphs: [
      isNew
        ? byName === null
          ? `您已被添加到共享网盘“${driveName}”，角色为${CHINESE_ROLES[role]}。`
          : `${byName} 将您添加到共享网盘“${driveName}”，角色为${CHINESE_ROLES[role]}。`
        : byName === null
          ? `您现在是共享网盘“${driveName}”的${CHINESE_ROLES[role]}。`
          : `${byName} 将您设为共享网盘“${driveName}”的${CHINESE_ROLES[role]}。`,
    ],
    action: { label: '打开网盘', url: page(filesPageOf(driveId)) },
  }),
};
