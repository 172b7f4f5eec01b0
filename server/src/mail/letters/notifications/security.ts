import type { DataOf } from '../letter.ts';
import type { LetterTexts } from '../letter-texts.ts';

type SecurityEvent = DataOf<'SECURITY'>['event'];

const EVENTS: Readonly<Record<SecurityEvent, string>> = {
  NEW_LOGIN: 'Someone logged in from a new device',
  SET_UP_TOTP: 'An authenticator app was set up',
  REMOVE_TOTP: 'The authenticator app was removed',
  RENEW_RECOVERY_CODES: 'The recovery codes were renewed',
  ADD_PASSKEY: 'A passkey was added',
  REMOVE_PASSKEY: 'A passkey was removed',
  LINK_IDENTITY: 'Single sign-on was linked',
  UNLINK_IDENTITY: 'Single sign-on was unlinked',
  CHANGE_PASSWORD: 'The password was changed',
  RESET_PASSWORD: 'The password was reset with a mailed link',
  CREATE_APP_PASSWORD: 'An app password was created',
  DELETE_APP_PASSWORD: 'An app password was deleted',
  UPDATE_USER_PASSWORD: 'An administrator set a new password',
  RESET_USER_PASSWORD: 'An administrator reset the password',
  RESET_SECOND_FACTORS: 'An administrator removed the second factors',
  DELETE_IDENTITY: 'An administrator removed a single sign-on identity',
};

const CHINESE_EVENTS: Readonly<Record<SecurityEvent, string>> = {
  NEW_LOGIN: '有新设备登录了账号',
  SET_UP_TOTP: '已设置验证器应用',
  REMOVE_TOTP: '已移除验证器应用',
  RENEW_RECOVERY_CODES: '已更新恢复码',
  ADD_PASSKEY: '已添加通行密钥',
  REMOVE_PASSKEY: '已移除通行密钥',
  LINK_IDENTITY: '已关联单点登录',
  UNLINK_IDENTITY: '已取消关联单点登录',
  CHANGE_PASSWORD: '密码已修改',
  RESET_PASSWORD: '已通过邮件中的链接重置密码',
  CREATE_APP_PASSWORD: '已创建应用密码',
  DELETE_APP_PASSWORD: '已删除应用密码',
  UPDATE_USER_PASSWORD: '管理员设置了新密码',
  RESET_USER_PASSWORD: '管理员重置了密码',
  RESET_SECOND_FACTORS: '管理员移除了双重验证',
  DELETE_IDENTITY: '管理员移除了单点登录身份',
};

export const SECURITY: LetterTexts<'SECURITY'> = {
  en: ({ event, program, address }, { name, host, page }) => ({
    subject: `Security notice: ${EVENTS[event]}`,
    paragraphs: [
      `${EVENTS[event]}. This is about your ${name} account at ${host}.`,
      ...(address === null ? [] : [`Address: ${address}`]),
      ...(program === null ? [] : [`App: ${program}`]),
    ],
    action: { label: 'Check security', url: page('/profile/security') },
    notes: ["If this wasn't you, change your password and end the sessions that you don't know."],
  }),
  'zh-CN': ({ event, program, address }, { name, host, page }) => ({
    subject: `安全提醒：${CHINESE_EVENTS[event]}`,
    paragraphs: [
      `${CHINESE_EVENTS[event]}。此提醒与您在 ${host} 的 ${name} 账号有关。`,
      ...(address === null ? [] : [`地址：${address}`]),
      ...(program === null ? [] : [`应用：${program}`]),
    ],
    action: { label: '检查安全设置', url: page('/profile/security') },
    notes: ['如果不是您本人操作，请修改密码，并结束您不认识的会话。'],
  }),
};
