/** The part of the package that the tests use. The package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Context {
    readonly path: string;
    body: unknown;
    readonly oidc: {
      readonly provider: Provider;
      readonly client?: { readonly clientId: string };
      readonly session?: { readonly accountId?: string };
    };
  }

  export class Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (properties: {
      clientId?: string;
      accountId?: string;
    }) => Grant;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    on(event: 'server_error', listener: (context: Context, error: Error) => void): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }

  export type { Context };
}
