import { ProtocolError } from '../errors/errors.ts';

/** What another run of the program needs to continue an upload. It contains no password. */
interface ResumeToken {
  /** The id of the upload session. */
  readonly sessionId: string;
  /** The size of the upload, in bytes. */
  readonly size: number;
}

const VERSION = 1;

/** Encodes a token as text that can be stored anywhere. */
export function writeResumeToken({ sessionId, size }: ResumeToken): string {
  return JSON.stringify({ version: VERSION, sessionId, size });
}

/** @throws ProtocolError if the text was not written by `writeResumeToken` */
export function readResumeToken(text: string): ResumeToken {
  const value = parse(text);
  if (typeof value === 'object' && value !== null && 'sessionId' in value && 'size' in value) {
    const { sessionId, size } = value;
    if (typeof sessionId === 'string' && typeof size === 'number') return { sessionId, size };
  }
  throw new ProtocolError('This text is no token of an unfinished upload.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
