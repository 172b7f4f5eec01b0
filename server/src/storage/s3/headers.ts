import { createHash } from 'node:crypto';

/** A request of a client over HTTP before it is signed; what is sent by this program has its bytes in memory. */
interface BuiltRequest {
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array;
}

interface Step {
  readonly request: BuiltRequest;
}

interface BuildSteps {
  add(
    middleware: (next: (step: Step) => Promise<unknown>) => (step: Step) => Promise<unknown>,
    options: { readonly step: 'build'; readonly priority: 'low'; readonly name: string },
  ): void;
}

/** Changes the headers of one command's request after the SDK has set its own, and before they are signed. */
export function changeHeaders(
  command: { readonly middlewareStack: object },
  change: (headers: Record<string, string>, body: string | Uint8Array) => void,
): void {
  // The SDK's type names input and output of each command, which do not matter at this step.
  const steps = command.middlewareStack as BuildSteps;
  steps.add(
    (next) => (step) => {
      change(step.request.headers, step.request.body);
      return next(step);
    },
    { step: 'build', priority: 'low', name: 'changeHeaders' },
  );
}

/** For what S3 wants a checksum of. The SDK brings the newer ones, of which older stores know nothing. */
export function addMd5(command: { readonly middlewareStack: object }): void {
  changeHeaders(command, (headers, body) => {
    headers['content-md5'] = createHash('md5').update(body).digest('base64');
  });
}
