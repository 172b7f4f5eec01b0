import type { EntryRecord } from '../../../../client/src/client.ts';
import { queryOf } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';

/** The encodings of names that the service can read. */
export const NAME_ENCODINGS = [
  'utf-8',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-874',
  'ibm866',
  'koi8-r',
  'cp437',
  'cp850',
  'cp852',
] as const;
export type NameEncoding = (typeof NAME_ENCODINGS)[number];

type Archive = Pick<EntryRecord, 'id' | 'driveId'>;

/** The content of an archive as the service would extract it. @param encoding empty to let it guess */
export function archiveQuery({ id: fileId, driveId: drive }: Archive, encoding: NameEncoding | '') {
  const query = encoding === '' ? {} : { encoding };
  return {
    ...queryOf([...KEYS.entry(fileId), 'zip', encoding], 'GET /api/v2/files/{fileId}/archive', {
      path: { fileId },
      query,
      drive,
    }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  } as const;
}
