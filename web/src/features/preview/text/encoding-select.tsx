import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TextForm } from './text-bytes.ts';
import { ENCODINGS, type Encoding } from './text-encodings.ts';

interface EncodingSelectProps {
  /** The encoding that the reader has chosen. */
  readonly encoding: Encoding | undefined;
  /** The encoding in which the text is shown. */
  readonly detected: TextForm['encoding'];
  readonly onChange: (encoding: Encoding | undefined) => void;
}

/** Lets the reader correct the guessed encoding of a text. */
export function EncodingSelect({ encoding, detected, onChange }: EncodingSelectProps) {
  const { t } = useTranslation();
  const automatic =
    encoding === undefined
      ? t('preview.detectedEncoding', { encoding: t(`preview.encodings.${detected}`) })
      : t('preview.detectEncoding');
  return (
    <NativeSelect
      size="xs"
      aria-label={t('preview.encoding')}
      value={encoding ?? ''}
      data={[
        { value: '', label: automatic },
        ...ENCODINGS.map((value) => ({ value, label: t(`preview.encodings.${value}`) })),
      ]}
      onChange={({ currentTarget: { value } }) => onChange(ENCODINGS.find((known) => known === value))}
    />
  );
}
