/** Why a file has no text. */
export const NO_TEXT_REASONS = ['unknown-type', 'encrypted', 'damaged', 'over-limit'] as const;
export type NoTextReason = (typeof NO_TEXT_REASONS)[number];

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
