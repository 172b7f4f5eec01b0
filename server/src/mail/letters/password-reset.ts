import type { LetterTexts } from './letter-texts.ts';

export const PASSWORD_RESET: LetterTexts<'PASSWORD_RESET'> = {
  en: ({ displayName, token }, { name, host, link }) => ({
    subject: `Reset your ${name} password`,
    paragraphs: [
      `Hello ${displayName},`,
      `Someone asked to reset the password of your ${name} account at ${host}. To choose a new one:`,
    ],
    action: { label: 'Choose new password', url: link('/reset-password', 'token', token) },
    notes: [
      'The link is valid for one hour and works once.',
      'A new password logs you out everywhere and deletes your app passwords.',
      "If this wasn't you, ignore this mail. Your password stays the same.",
    ],
  }),
  'zh-CN': ({ displayName, token }, { name, host, link }) => ({
    subject: `重置您的 ${name} 密码`,
    paragraphs: [
      `${displayName}，您好：`,
      `有人请求重置您在 ${host} 的 ${name} 账号密码。请打开以下链接设置新密码：`,
    ],
    action: { label: '设置新密码', url: link('/reset-password', 'token', token) },
    notes: [
      '链接一小时内有效，只能使用一次。',
      '设置新密码后，所有设备将退出登录，应用密码将被删除。',
      '如果不是您本人操作，请忽略此邮件，密码不会改变。',
    ],
  }),
};
