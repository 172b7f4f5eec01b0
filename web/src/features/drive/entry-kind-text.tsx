import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { fileTypeOf } from '../details/file-type.ts';

/** The kind of a file in words, such as "PNG picture". */
export function EntryKindText({ entry }: { readonly entry: EntryRecord }) {
  const { t } = useTranslation();
  if (entry.directory) return t('details.folder');
  const { purpose, format } = fileTypeOf(entry);
  return t(`details.types.${purpose}`, { format });
}
