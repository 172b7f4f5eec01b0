import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { ByteInput } from './amounts/byte-input.tsx';

/** The limits of an account or a drive. */
export interface Limits {
  readonly quotaBytes: number;
  readonly uploadBytes: number;
  readonly entries: number;
}

type LimitName = keyof Limits;
/** A limit is undefined while its input has no valid number. */
type TypedLimits = Readonly<Record<LimitName, number | undefined>>;

const NAMES: readonly LimitName[] = ['quotaBytes', 'uploadBytes', 'entries'];

/** The limits that an admin is editing. @param current the stored limits */
export function useLimits(current: Limits) {
  const [typed, setTyped] = useState<TypedLimits>(current);
  const isChanged = (name: LimitName) => typed[name] !== current[name];
  const isComplete = NAMES.every((name) => typed[name] !== undefined);
  return {
    current,
    typed,
    isChanged,
    /** Whether every input has a valid number. */
    isComplete,
    /** Whether there is something to save. */
    isReady: isComplete && NAMES.some(isChanged),
    /** Only what the admin has changed, so that a change by another admin is not undone. */
    changed: (): Partial<Limits> =>
      Object.fromEntries(NAMES.filter(isChanged).map((name) => [name, typed[name]])),
    change: (name: LimitName, value: number | undefined) =>
      setTyped((before) => ({ ...before, [name]: value })),
  };
}

interface LimitWords {
  readonly label: string;
  readonly description?: string;
  readonly error?: string | false;
}

interface LimitFieldsProps {
  readonly limits: ReturnType<typeof useLimits>;
  readonly words: Readonly<Record<LimitName, LimitWords>>;
}

/** The inputs of the limits. */
export function LimitFields({ limits: { current, change }, words }: LimitFieldsProps) {
  return (
    <>
      <ByteInput
        {...words.quotaBytes}
        bytes={current.quotaBytes}
        onChange={(bytes) => change('quotaBytes', bytes)}
      />
      <ByteInput
        {...words.uploadBytes}
        bytes={current.uploadBytes}
        onChange={(bytes) => change('uploadBytes', bytes)}
      />
      <NumberInput
        {...words.entries}
        defaultValue={current.entries}
        allowNegative={false}
        allowDecimal={false}
        thousandSeparator=","
        required
        onChange={(value) => change('entries', toCount(value))}
      />
    </>
  );
}

/** The number in an input; undefined unless it is a whole number above 0. */
function toCount(value: number | string): number | undefined {
  const count = Number(value);
  return Number.isSafeInteger(count) && count > 0 ? count : undefined;
}
