import { MINUTE } from '../../../src/base/clock.ts';
import { BoundedChildren } from '../../../src/child-processes/bounded-children.ts';

/** Child processes that do what the file says. */
export function makeUnrulyChildren({ workMs = MINUTE } = {}): BoundedChildren<string> {
  const program = {
    script: new URL('./unruly-child.ts', import.meta.url),
    answers: {
      maxBodyBytes: 100,
      read: ({ outcome, body }: { readonly outcome: number; readonly body: Buffer }) =>
        outcome === 1 ? body.toString() : undefined,
    },
  };
  return new BoundedChildren(program, { workMs, readingMs: MINUTE });
}

/** @param file what the process does; it sends any other file back */
export function processFile(children: BoundedChildren<string>, file: string): Promise<string> {
  const bytes = Buffer.from(file);
  const chunks = (async function* () {
    yield bytes;
  })();
  return children.process({ parameter: 0, length: bytes.length }, chunks);
}
