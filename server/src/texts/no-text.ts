/** Why a file has no text. */
const NO_TEXT_REASONS = ['unknown-type', 'encrypted', 'damaged', 'over-limit'] as const;
export type NoTextReason = (typeof NO_TEXT_REASONS)[number];

/** How the extraction went, for an answer of a text process: a text, or the position of a reason. */
export const HAS_TEXT = 0;

export function toOutcome(reason: NoTextReason): number {
  return NO_TEXT_REASONS.indexOf(reason) + 1;
}

/** Undefined unless the outcome is a reason. */
export function toReason(outcome: number): NoTextReason | undefined {
  return NO_TEXT_REASONS[outcome - 1];
}

/** There is no text in the file. */
export class NoText extends Error {
  readonly reason: NoTextReason;

  constructor(reason: NoTextReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NoText';
    this.reason = reason;
  }
}

/** Ends the extraction, because there is more text than is kept. */
export class TextLimitReached extends Error {
  constructor() {
    super('There is more text than is kept.');
    this.name = 'TextLimitReached';
  }
}
