import type { LetterTexts } from '../letter-texts.ts';
import { count } from './count.ts';

// The name is empty if only the receiver can decrypt it.

export const TRANSFER_FETCHED: LetterTexts<'TRANSFER_FETCHED'> = {
  en: ({ files, fileName }, { page }) => ({
    subject: 'Your transfer was received',
    paragraphs: [
      fileName === ''
        ? `Someone with the code received ${count(files, 'encrypted file')}.`
        : files === 1
          ? `Someone with the code received “${fileName}”.`
          : `Someone with the code received “${fileName}” and ${count(files - 1, 'more file')}.`,
    ],
    action: { label: 'Open transfers', url: page('/transfer') },
  }),
  'zh-CN': ({ files, fileName }, { page }) => ({
    subject: '您的快传已被接收',
    paragraphs: [
      fileName === ''
        ? `有人凭取件码接收了 ${files} 个加密文件。`
        : files === 1
          ? `有人凭取件码接收了“${fileName}”。`
          : `有人凭取件码接收了“${fileName}”等 ${files} 个文件。`,
    ],
    action: { label: '打开快传', url: page('/transfer') },
  }),
};
