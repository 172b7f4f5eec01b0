import type { Readable } from 'node:stream';
import { releasingChunks } from '../../base/bytes/byte-streams.ts';
import type { ChildLimits, ChildProgram } from '../../child-processes/bounded-child.ts';
import { BoundedChildren, ChildCrashed, ChildInterrupted } from '../../child-processes/bounded-children.ts';
import type { ChildAnswer, ChildRequest } from '../../child-processes/messages.ts';
import { DECODED } from './outcomes.ts';

/** There is no thumbnail, because the bytes are not a picture or decoding it takes too much memory. */
export class Undecodable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Undecodable';
  }
}

/** The picture could not be decoded in time. It was made to be slow, or the computer is busy. */
export class DecodingInterrupted extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'DecodingInterrupted';
  }
}

interface DecodingProgram extends Omit<ChildProgram<Decoded>, 'answers'> {
  readonly maxPictureBytes: number;
  /** Whether the bytes begin like the pictures that the program makes. */
  readonly isPicture: (bytes: Buffer) => boolean;
}

/** Child processes that make pictures of files. The caller limits how many files they get at the same time. */
export class DecodingChildren {
  readonly #children: BoundedChildren<Decoded>;

  constructor({ maxPictureBytes, isPicture, ...program }: DecodingProgram, limits: ChildLimits) {
    const read = ({ outcome, body }: ChildAnswer): Decoded | undefined => {
      if (outcome !== DECODED) return body.length === 0 ? { picture: undefined } : undefined;
      return isPicture(body) ? { picture: body } : undefined;
    };
    const answers = { maxBodyBytes: maxPictureBytes, read };
    this.#children = new BoundedChildren({ ...program, answers }, limits);
  }

  /** The number of running processes, including idle ones. */
  get processCount(): number {
    return this.#children.processCount;
  }

  /** The ids of the processes, for tests. */
  get processIds(): readonly number[] {
    return this.#children.processIds;
  }

  /**
   * @param open opens the bytes of the file, which must be `request.length` bytes
   * @throws Undecodable; DecodingInterrupted; ChildMisbehaved; Failure `unavailable`; an error of the source
   */
  async decode(request: ChildRequest, open: () => Promise<Readable>): Promise<Buffer> {
    const source = await open();
    try {
      const { picture } = await this.#children.process(request, releasingChunks(source));
      if (picture === undefined) throw new Undecodable('There is no picture in the bytes.');
      return picture;
    } catch (error) {
      if (error instanceof ChildCrashed) throw new Undecodable(error.message);
      if (error instanceof ChildInterrupted) throw new DecodingInterrupted(error.message);
      throw error;
    } finally {
      source.destroy();
    }
  }

  /** Ends all processes, and never starts new ones. */
  async close(): Promise<void> {
    await this.#children.close();
  }
}

interface Decoded {
  /** Undefined if the file has no picture. */
  readonly picture: Buffer | undefined;
}
