import type { LetterTexts } from '../letter-texts.ts';

const TYPES: Readonly<Record<string, string>> = {
  ARCHIVE: 'Creating an archive',
  EXTRACT: 'Extracting an archive',
  MEDIA_META: 'Reading details of a media file',
  STORAGE_POLICY_MIGRATION: 'Moving stored objects',
};
const CHINESE_TYPES: Readonly<Record<string, string>> = {
  ARCHIVE: '压缩',
  EXTRACT: '解压',
  MEDIA_META: '读取媒体信息',
  STORAGE_POLICY_MIGRATION: '迁移存储对象',
};

export const TASK_FAILED: LetterTexts<'TASK_FAILED'> = {
  en: ({ type, error }, { page }) => ({
    subject: `${TYPES[type] ?? 'A task'} failed`,
    paragraphs: [`${TYPES[type] ?? 'A task'} failed: ${error}`],
    action: { label: 'Show tasks', url: page('/tasks') },
  }),
  'zh-CN': ({ type, error }, { page }) => ({
    subject: `${CHINESE_TYPES[type] ?? '任务'}失败`,
    paragraphs: [`${CHINESE_TYPES[type] ?? '任务'}失败：${error}`],
    action: { label: '查看任务', url: page('/tasks') },
  }),
};
