import type { LetterTexts } from './letter-texts.ts';

export const TEST: LetterTexts<'TEST'> = {
  en: (_, { name, host }) => ({
    subject: `Test mail from ${name}`,
    paragraphs: [`${name} at ${host} can send mail.`],
  }),
  'zh-CN': (_, { name, host }) => ({
    subject: `来自 ${name} 的测试邮件`,
    paragraphs: [`${host} 的 ${name} 可以发送邮件。`],
  }),
};
