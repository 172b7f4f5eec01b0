import type { LetterTexts } from './letter-texts.ts';

export const VERIFICATION: LetterTexts<'VERIFICATION'> = {
  en: ({ token }, { name, host, link }) => ({
    subject: 'Confirm your e-mail address',
    paragraphs: [
      'Hello,',
      `This address was entered for your ${name} account at ${host}. Confirm that it's yours:`,
    ],
    action: { label: 'Confirm address', url: link('/verify-email', 'token', token) },
    notes: [
      'The link is valid for 24 hours and works once.',
      "If you don't have an account there, ignore this mail. Nothing will happen.",
    ],
  }),
  'zh-CN': ({ token }, { name, host, link }) => ({
    subject: '请确认您的邮箱地址',
    paragraphs: ['您好：', `您在 ${host} 的 ${name} 账号填写了此邮箱地址。请确认它属于您：`],
    action: { label: '确认邮箱地址', url: link('/verify-email', 'token', token) },
    notes: ['链接 24 小时内有效，只能使用一次。', '如果您没有该账号，请忽略此邮件，不会有任何影响。'],
  }),
};
