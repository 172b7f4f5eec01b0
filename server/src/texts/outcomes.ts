import { NO_TEXT_REASONS, type NoTextReason } from './no-text.ts';

/** How the extraction went, for an answer of a text process: a text, or the position of a reason. */
export const HAS_TEXT = 0;

export function toOutcome(reason: NoTextReason): number {
  return NO_TEXT_REASONS.indexOf(reason) + 1;
}

/** Undefined unless the outcome is a reason. */
export function toReason(outcome: number): NoTextReason | undefined {
  return NO_TEXT_REASONS[outcome - 1];
}
