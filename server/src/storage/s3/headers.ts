import { createHash } from 'node:crypto';

/** An HTTP request of the SDK before it is signed. Its body is in memory in all our requests. */
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

/**
 * Changes the headers of a command's request after the SDK has set its own and before the request is signed.
 */
export function changeHeaders(
  command: { readonly middlewareStack: object },
  change: (headers: Record<string, string>, body: string | Uint8Array) => void,
): void {
  // The SDK's type depends on each command's input and output, which do not matter at this step.
  const steps = command.middlewareStack as BuildSteps;
  steps.add(
    (next) => (step) => {
      change(step.request.headers, step.request.body);
      return next(step);
    },
    { step: 'build', priority: 'low', name: 'changeHeaders' },
  );
}

/**
 * Adds the MD5 that S3 requires for some commands. The SDK only sends newer checksums, which older stores do
 * not support.
 */
export function addMd5(command: { readonly middlewareStack: object }): void {
  changeHeaders(command, (headers, body) => {
    headers['content-md5'] = createHash('md5').update(body).digest('base64');
  });
}
