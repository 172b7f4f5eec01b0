import type { LetterTexts } from './letter-texts.ts';

export const INVITATION: LetterTexts<'INVITATION'> = {
  en: ({ inviterName, code }, { name, host, link }) => ({
    subject: `${inviterName} invites you to ${name}`,
    paragraphs: [
      'Hello,',
      `${inviterName} invites you to ${name}, a place to store and share files, at ${host}. To join:`,
    ],
    action: { label: 'Create account', url: link('/register', 'code', code) },
    notes: [`If you don't know ${inviterName}, ignore this mail.`],
  }),
  'zh-CN': ({ inviterName, code }, { name, host, link }) => ({
    subject: `${inviterName} 邀请您使用 ${name}`,
    paragraphs: [
      '您好：',
      `${inviterName} 邀请您加入 ${host} 的 ${name}，在这里存储和分享文件。请打开以下链接加入：`,
    ],
    action: { label: '创建账号', url: link('/register', 'code', code) },
    notes: [`如果您不认识 ${inviterName}，请忽略此邮件。`],
  }),
};
