/** Requests and replies of the outbound client; `../net.ts` documents the guarantees. */

/** Finds the addresses of a host name. Injected by tests. */
export type Resolve = (host: string) => Promise<readonly { address: string; family: 4 | 6 }[]>;

export interface NetNeeds {
  /** For the User-Agent. */
  version: string;
  resolve?: Resolve;
  /** A further certificate authority in PEM, for tests. */
  ca?: string;
}

export interface NetRequest {
  /** https; http only together with `allowLoopback` and only to this machine. Never with user and password. */
  url: string | URL;
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Headers, except Host, Connection, Content-Length and the like, which the client sets. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** The address comes from a setting of the Owner: it may be on this machine, and then http and any port will do. */
  allowLoopback?: boolean;
  /**
   * The address comes from a setting of the Owner for a service at home: over https it may be on a private network.
   * Never a link-local address, and never by a redirect.
   */
  allowHome?: boolean;
  /** The hosts that may be reached, redirects included: `api.example.org`. Left out: only the host of `url`. */
  allowedHosts?: readonly string[];
  /** Bytes of the body, counted before and after decompression (default 2 MiB). */
  maxBytes?: number;
  /** From the call to the last byte (default 30 s). */
  timeoutMs?: number;
  /** Redirects that are followed, 0..3 (default 0: the reply with its Location is given back). */
  redirects?: number;
}

export interface NetReply {
  status: number;
  /** Lower-case names; a repeated header is joined with a comma and a space. */
  headers: Readonly<Record<string, string>>;
  bytes: Buffer;
}

export interface Net {
  /** Asks and reads the whole reply. Any status is a reply; what fails is a NetFailure. */
  request(request: NetRequest, signal?: AbortSignal): Promise<NetReply>;
  close(): Promise<void>;
}
