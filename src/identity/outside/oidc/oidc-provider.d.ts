/** The part of `oidc-provider` that tests use: the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export default class Provider {
    constructor(issuer: string, configuration: object);
    on(event: string, listener: (...given: readonly unknown[]) => void): void;
    callback(): (request: IncomingMessage, reply: ServerResponse) => Promise<void>;
  }
}
