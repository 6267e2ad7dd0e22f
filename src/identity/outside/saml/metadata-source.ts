/**
 * The metadata of the provider over time: pasted into a setting, or fetched from an address, read again each day, and
 * kept. While the address does not answer, the last good document counts, also after a restart.
 */
import type { Clock } from '../../../lib/clock.ts';
import { Failure } from '../../../lib/failure.ts';
import type { Log } from '../../../lib/log.ts';
import type { Net } from '../../../lib/net.ts';
import { issuerFailure, issuerFaultOf } from '../faults.ts';
import { MAX_METADATA_BYTES, type ProviderMetadata, readMetadata } from './metadata.ts';

const HOUR_MS = 60 * 60_000;
/** Age at which a document is read again. */
const REFRESH_MS = 24 * HOUR_MS;
/** Pause after a reading that failed, while there is a document that counts. */
const RETRY_MS = HOUR_MS;
/** Time for which a failed reading is reused: a page that anyone may open must not ask the provider each time. */
const FAILED_MS = 5_000;
const TIMEOUT_MS = 10_000;
/** Age of a document at which an Owner is notified that it is not read again. */
const STALE_MS = 72 * HOUR_MS;

/** Storage of the last good document. */
export interface KeptMetadata {
  /** Returns the document of an address, and when it was read; undefined if there is none. */
  load(address: string): Promise<{ document: string; readAt: number } | undefined>;
  /** Keeps a document in place of any other. */
  keep(row: { address: string; document: string; readAt: number }): Promise<void>;
}

export interface MetadataSource {
  /** Returns what is known without asking; undefined if nothing is, or it no longer counts. */
  known(): ProviderMetadata | undefined;
  /** Returns the metadata, and asks for it if none is known. Throws `Failure('unavailable')` with an `IssuerFault`. */
  read(): Promise<ProviderMetadata>;
  /** Reads it again, whatever is known. Throws as `read`; what was known before then stays valid. */
  readNow(): Promise<void>;
  /** Reads it again if it is time to. Never throws. */
  refresh(): Promise<void>;
  /** Whether the document has not been read again for days. */
  isStale(): boolean;
  /** Ends a reading that is under way. */
  close(): void;
}

interface SourceNeeds {
  net: Net;
  clock: Clock;
  log: Log;
  kept: KeptMetadata;
}
interface Held {
  metadata: ProviderMetadata;
  readAt: number;
}

/** Opens the source of a pasted document. */
export function pastedMetadata(document: string, clock: Clock): MetadataSource {
  let found: ProviderMetadata | undefined;
  let fault: Failure | undefined;
  try {
    found = readMetadata(Buffer.from(document), { isPlainAllowed: true });
  } catch (error) {
    fault = issuerFaultOf(error, 'saml-metadata-invalid');
  }
  const known = (): ProviderMetadata | undefined => (found && isValid(found, clock) ? found : undefined);
  const read = async (): Promise<ProviderMetadata> => known() ?? raise(fault ?? issuerFailure('saml-metadata-expired'));
  return {
    known,
    read,
    readNow: async () => void (await read()),
    refresh: async () => {},
    isStale: () => false,
    close: () => {},
  };
}

/** Opens the source of an address, with the document that was kept for it. */
export async function fetchedMetadata(address: string, needs: SourceNeeds): Promise<MetadataSource> {
  const { clock, log } = needs;
  let held = await keptDocument(address, needs);
  let failed: { error: unknown; until: number } | undefined;
  let reading: Promise<ProviderMetadata> | undefined;
  let retryAt = 0;
  const closing = new AbortController();

  const known = (): ProviderMetadata | undefined => (held && isValid(held.metadata, clock) ? held.metadata : undefined);
  const fetchNow = (): Promise<ProviderMetadata> => {
    reading ??= fetchDocument(address, needs, closing.signal)
      .then((fetched) => {
        [held, failed] = [fetched, undefined];
        return fetched.metadata;
      })
      .catch((error: unknown) => {
        failed = { error, until: clock.monotonic() + FAILED_MS };
        throw error;
      })
      .finally(() => void (reading = undefined));
    return reading;
  };
  const age = (): number => (held && held.readAt <= clock.now() ? clock.now() - held.readAt : Number.POSITIVE_INFINITY);

  return {
    known,
    read: async () => {
      const there = known();
      if (there) return there;
      if (failed && clock.monotonic() < failed.until) throw failed.error;
      return fetchNow();
    },
    readNow: async () => void (await fetchNow()),
    refresh: async () => {
      if (age() < REFRESH_MS || clock.monotonic() < retryAt) return;
      try {
        await fetchNow();
      } catch (error) {
        retryAt = clock.monotonic() + RETRY_MS;
        if (closing.signal.aborted) return;
        if (!(error instanceof Failure)) log.fault('identity.saml.metadata-unkept', error);
        else log.warn('identity.saml.metadata-failed', { reason: error.reason });
      }
    },
    isStale: () => age() >= STALE_MS,
    close: () => closing.abort(),
  };
}

const isValid = ({ validUntil }: ProviderMetadata, clock: Clock): boolean =>
  validUntil === undefined || clock.now() < validUntil;

const isPlain = (address: string): boolean => address.startsWith('http:');

async function keptDocument(address: string, { kept, log }: SourceNeeds): Promise<Held | undefined> {
  const row = await kept.load(address);
  if (!row) return undefined;
  try {
    const metadata = readMetadata(Buffer.from(row.document), { isPlainAllowed: isPlain(address) });
    return { metadata, readAt: row.readAt };
  } catch (error) {
    // A version that reads documents more strictly: it is fetched again.
    log.warn('identity.saml.kept-metadata', { reason: issuerFaultOf(error, 'saml-metadata-invalid').reason });
    return undefined;
  }
}

/** Fetches a document and keeps it, if it is one that counts. */
async function fetchDocument(address: string, { net, clock, kept }: SourceNeeds, signal: AbortSignal): Promise<Held> {
  const { document, metadata } = await askFor(address, net, signal);
  signal.throwIfAborted();
  if (!isValid(metadata, clock)) throw issuerFailure('saml-metadata-expired');
  const readAt = clock.now();
  await kept.keep({ address, document, readAt });
  return { metadata, readAt };
}

async function askFor(
  address: string,
  net: Net,
  signal: AbortSignal,
): Promise<{ document: string; metadata: ProviderMetadata }> {
  try {
    const { status, bytes } = await net.request(
      {
        url: address,
        headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
        allowLoopback: true,
        allowHome: true,
        maxBytes: MAX_METADATA_BYTES,
        timeoutMs: TIMEOUT_MS,
        redirects: 2,
      },
      signal,
    );
    if (status !== 200) throw issuerFailure('saml-metadata-invalid');
    return { document: bytes.toString('utf8'), metadata: readMetadata(bytes, { isPlainAllowed: isPlain(address) }) };
  } catch (error) {
    throw issuerFaultOf(error, 'saml-metadata-invalid');
  }
}

function raise(failure: Failure): never {
  throw failure;
}
