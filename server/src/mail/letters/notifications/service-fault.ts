import type { DataOf } from '../letter.ts';
import type { LetterTexts } from '../letter-texts.ts';

type Fault = DataOf<'SERVICE_FAULT'>['fault'];

const FAULTS: Readonly<Record<Fault, string>> = {
  DISK: 'Little disk space is left',
  JOB: 'A maintenance job failed',
  DOCTOR: 'The doctor found faults',
  BACKUP: 'A backup failed',
};
const CHINESE_FAULTS: Readonly<Record<Fault, string>> = {
  DISK: '磁盘空间不足',
  JOB: '维护任务失败',
  DOCTOR: '一致性检查发现问题',
  BACKUP: '备份失败',
};

export const SERVICE_FAULT: LetterTexts<'SERVICE_FAULT'> = {
  en: ({ fault, name, message }, { host, page }) => ({
    subject: `${host}: ${FAULTS[fault]}`,
    paragraphs: [`${FAULTS[fault]} on ${host}: ${name}`, message],
    action: { label: 'Open administration', url: page('/admin') },
  }),
  'zh-CN': ({ fault, name, message }, { host, page }) => ({
    subject: `${host}：${CHINESE_FAULTS[fault]}`,
    paragraphs: [`${host} ${CHINESE_FAULTS[fault]}：${name}`, message],
    action: { label: '打开管理页面', url: page('/admin') },
  }),
};
