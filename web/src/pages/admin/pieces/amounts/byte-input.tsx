import { Group, NativeSelect, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  AMOUNT_DECIMALS,
  BYTE_UNITS,
  type ByteAmount,
  type ByteUnit,
  toAmount,
  toBytes,
} from './byte-amount.ts';

/**
 * An input for a size in the most suitable unit. Its value is in bytes. The shown number may be rounded, but
 * as long as the user does not change it, the value stays exact.
 *
 * @param parts.onChange called with undefined while the input contains no number
 */
export function ByteInput(parts: {
  label: string;
  description?: string;
  /** The initial value. */
  bytes: number;
  min?: number;
  onChange: (bytes: number | undefined) => void;
}) {
  const { t } = useTranslation();
  const [initial] = useState(parts.bytes);
  const [amount, setAmount] = useState<Partial<ByteAmount> & { unit: ByteUnit }>(() => toAmount(initial));
  const { min = 1 } = parts;
  const change = (value: number | undefined, unit: ByteUnit) => {
    setAmount(value === undefined ? { unit } : { value, unit });
    const bytes = value === undefined ? undefined : toBytes({ value, unit }, initial);
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
        decimalScale={AMOUNT_DECIMALS}
        thousandSeparator=","
        required
        onChange={(value) => change(value === '' ? undefined : Number(value), amount.unit)}
      />
      <NativeSelect
        w={88}
        aria-label={t('admin.unitOf', { label: parts.label })}
        value={amount.unit}
        data={[...BYTE_UNITS]}
        // The options have no other values.
        onChange={(event) => change(amount.value, event.currentTarget.value as ByteUnit)}
      />
    </Group>
  );
}
