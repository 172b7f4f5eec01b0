import type { LetterTexts } from './letter-texts.ts';

export const TEST: LetterTexts<'TEST'> = {
  en: (_, { host }) => ({
    subject: 'Test mail from Holdall',
    paragraphs: [`Holdall at ${host} can send mail.`],
  }),
  'zh-CN': (_, { host }) => ({
    subject: '来自 Holdall 的测试邮件',
    paragraphs: [`${host} 的 Holdall 可以发送邮件。`],
  }),
};
