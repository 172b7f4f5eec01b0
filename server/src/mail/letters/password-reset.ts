import type { LetterTexts } from './letter-texts.ts';

export const PASSWORD_RESET: LetterTexts<'PASSWORD_RESET'> = {
  en: ({ displayName, token }, { host, link }) => ({
    subject: 'Reset your Holdall password',
    paragraphs: [
      `Hello ${displayName},`,
      `Someone asked to reset the password of your Holdall account at ${host}. To choose a new one:`,
    ],
    action: { label: 'Choose new password', url: link('/reset-password', 'token', token) },
    notes: [
      'The link is valid for one hour and works once. It ends all sessions of your account.',
      "If this wasn't you, ignore this mail. Your password stays the same.",
    ],
  }),
  'zh-CN': ({ displayName, token }, { host, link }) => ({
    subject: '重置您的 Holdall 密码',
    paragraphs: [`${displayName}，您好：`, `有人请求重置您在 ${host} 的 Holdall 账号密码。要设置新密码：`],
    action: { label: '设置新密码', url: link('/reset-password', 'token', token) },
    notes: [
      '链接一小时内有效，只能使用一次。使用后，您账号的所有会话都会结束。',
      '如果不是您本人操作，请忽略此邮件，密码不会改变。',
    ],
  }),
};
