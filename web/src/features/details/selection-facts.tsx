import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { formatBytes } from '../../messages/formats.ts';
import classes from './details.module.css';
import { fileTypeOf } from './file-type.ts';

/** Rarer types are counted in the number of files only. */
const MAX_TYPES = 8;

/** How many entries of each type are selected, and the size of the files. */
export function SelectionFacts({ entries }: { readonly entries: readonly EntryRecord[] }) {
  const { t } = useTranslation();
  const files = entries.filter(({ directory }) => !directory);
  const folderCount = entries.length - files.length;
  const types = new Map<string, number>();
  for (const file of files) {
    const { purpose, format } = fileTypeOf(file);
    const type = t(`details.types.${purpose}`, { format });
    types.set(type, (types.get(type) ?? 0) + 1);
  }
  const commonest = [...types].sort(([, one], [, other]) => other - one).slice(0, MAX_TYPES);
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t('details.contents')}</dt>
        <dd>
          {t('details.files', { count: files.length })}, {t('details.folders', { count: folderCount })}
        </dd>
      </div>
      {files.length > 0 && (
        <>
          <div>
            <dt>{t('details.sizeOfFiles')}</dt>
            <dd>{formatBytes(files.reduce((sum, { size }) => sum + size, 0))}</dd>
          </div>
          <div>
            <dt>{t('details.type')}</dt>
            {commonest.map(([type, count]) => (
              <dd key={type}>{t('details.ofType', { type, count })}</dd>
            ))}
          </div>
        </>
      )}
    </dl>
  );
}
