/** The part of `oidc-provider` that tests use: the package has no types. */
declare module 'oidc-provider' {
  import type { Server } from 'node:http';

  export default class Provider {
    constructor(issuer: string, configuration: object);
    on(event: string, listener: (...given: readonly unknown[]) => void): void;
    listen(port: number, host: string): Server;
  }
}
