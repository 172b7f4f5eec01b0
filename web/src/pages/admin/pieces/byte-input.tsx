import { Group, NativeSelect, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BYTE_UNITS, type ByteAmount, type ByteUnit, toAmount, toBytes } from './byte-amount.ts';

/**
 * A size in the unit in which it is best said; bytes go in and out.
 *
 * @param parts.onChange hears of undefined while there is no number
 */
export function ByteInput(parts: {
  label: string;
  description?: string;
  /** As it was at first. */
  bytes: number;
  min?: number;
  onChange: (bytes: number | undefined) => void;
}) {
  const { t } = useTranslation();
  const [amount, setAmount] = useState<Partial<ByteAmount> & { unit: ByteUnit }>(() => toAmount(parts.bytes));
  const { min = 1 } = parts;
  const change = (value: number | undefined, unit: ByteUnit) => {
    setAmount(value === undefined ? { unit } : { value, unit });
    const bytes = value === undefined ? undefined : toBytes({ value, unit });
    const isGood = bytes !== undefined && Number.isSafeInteger(bytes) && bytes >= min;
    parts.onChange(isGood ? bytes : undefined);
  };
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <NumberInput
        flex={1}
        label={parts.label}
        description={parts.description}
        value={amount.value ?? ''}
        allowNegative={false}
        decimalScale={3}
        thousandSeparator=" "
        required
        onChange={(value) => change(value === '' ? undefined : Number(value), amount.unit)}
      />
      <NativeSelect
        w={88}
        aria-label={t('admin.unitOf', { label: parts.label })}
        value={amount.unit}
        data={[...BYTE_UNITS]}
        // The options are made of the units.
        onChange={(event) => change(amount.value, event.currentTarget.value as ByteUnit)}
      />
    </Group>
  );
}
