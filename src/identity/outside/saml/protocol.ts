/** SAML 2.0 as a protocol of sign-in through others, with the provider of the settings. */
import { randomBytes } from 'node:crypto';
import type { IdentityFinding } from '../../../contract/identity/findings.ts';
import { METADATA_PATH, CONSUMER_PATH } from '../../../contract/identity/saml.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { Net } from '../../../lib/net.ts';
import type { Processes } from '../../../lib/process.ts';
import type { Settings } from '../../core.ts';
import { refuseAnswer } from '../proof.ts';
import type { OutsideProtocol } from '../protocol.ts';
import { judgeResponse, NAME_ID } from './judge.ts';
import type { OwnAddresses } from './metadata.ts';
import { fetchedMetadata, type KeptMetadata, type MetadataSource, pastedMetadata } from './metadata-source.ts';
import { requestAddress } from './request.ts';
import { createSamlVerifier } from './verifier.ts';

/** Form that the provider's page sends, by way of the browser. */
export interface SamlAnswer {
  SAMLResponse: string;
}
/** The request of one flow. Its id is the secret that the answer has to name. */
interface SamlSecrets {
  id: string;
  madeAt: number;
}

export interface SamlProtocol extends OutsideProtocol<SamlSecrets, SamlAnswer> {
  /** Reads the metadata of the provider again, if it is time to. Never throws. */
  refresh(): Promise<void>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** Assertions that were used, and the last metadata. */
export interface SamlMemory extends KeptMetadata {
  /** Notes an assertion as used, until it counts no longer. Returns false if it was used before. */
  useAssertion(given: { issuer: string; assertion: string; endsAt: number }): Promise<boolean>;
}

interface SamlNeeds {
  net: Net;
  clock: Clock;
  config: Settings;
  log: Log;
  memory: SamlMemory;
  processes: Pick<Processes, 'startHelper'>;
}

/** Attributes that hold an e-mail address, by the names that providers use. */
const EMAIL_ATTRIBUTE =
  /^(e-?mail|mail|emailaddress|urn:oid:0\.9\.2342\.19200300\.100\.1\.3|.*\/claims\/emailaddress)$/i;

/** Returns the addresses of this server for a provider; undefined without one of its own over https. */
export function ownAddresses(config: Settings): OwnAddresses | undefined {
  const url = config.get('integrations.saml.url') ?? config.get('auth.url');
  if (url === undefined || new URL(url).protocol !== 'https:') return undefined;
  const { origin } = new URL(url);
  return { entity: origin + METADATA_PATH, consumer: origin + CONSUMER_PATH };
}

/** Returns the protocol; undefined unless its settings are complete. They take effect at a start and are read once. */
export async function openSamlProtocol({
  net,
  clock,
  config,
  log,
  memory,
  processes,
}: SamlNeeds): Promise<SamlProtocol | undefined> {
  const own = ownAddresses(config);
  const address = config.get('integrations.saml.metadata_url');
  const document = config.get('integrations.saml.metadata_xml');
  if (!own || (address === undefined && document === undefined)) return undefined;
  const attribute = config.get('integrations.saml.identity_attribute');
  const source =
    address !== undefined
      ? await fetchedMetadata(address, { net, clock, log, kept: memory })
      : pastedMetadata(document ?? '', clock);
  const verifier = createSamlVerifier({ processes });

  return {
    name: 'saml',
    get host() {
      return address !== undefined ? new URL(address).host : (source.known()?.signOn.host ?? 'SAML');
    },
    origin: new URL(own.consumer).origin,
    returnsBy: 'POST',
    identifiers: () => {
      const known = source.known();
      return known && { issuer: known.issuer, claim: attribute };
    },
    newSecrets: async () => ({ id: `_${randomBytes(20).toString('hex')}`, madeAt: clock.now() }),
    authorize: async (secrets, isFresh) =>
      requestAddress(await source.read(), own, { ...secrets, isFresh, isByNameId: attribute === NAME_ID }),
    prove: async ({ SAMLResponse }, request, isFresh) => {
      const { issuer, keys } = await source.read();
      const verified = await verifier.verify(SAMLResponse, keys);
      const { proof, assertion, endsAt } = judgeResponse(verified, {
        issuer,
        audience: own.entity,
        recipient: own.consumer,
        request,
        attribute,
        now: clock.now(),
        isFresh,
      });
      if (!(await memory.useAssertion({ issuer, assertion, endsAt }))) refuseAnswer('used before');
      return proof;
    },
    check: source.readNow,
    findings: () => findingsOf(source, { isAddress: address !== undefined, attribute }),
    refresh: source.refresh,
    close: async () => {
      source.close();
      await verifier.close();
    },
  };
}

function findingsOf(
  source: MetadataSource,
  { isAddress, attribute }: { isAddress: boolean; attribute: string },
): IdentityFinding[] {
  const out: IdentityFinding[] = [];
  const setting = isAddress ? 'integrations.saml.metadata_url' : 'integrations.saml.metadata_xml';
  if (!source.known())
    out.push({
      level: 'error',
      code: 'saml-metadata-unusable',
      subject: 'Signing in',
      sentence:
        'There is no metadata of the SAML identity provider that can be used, so no one can sign in through it. Test ' +
        'the connection next to the setting.',
      values: {},
      setting,
    });
  else if (source.isStale())
    out.push({
      level: 'warning',
      code: 'saml-metadata-stale',
      subject: 'Signing in',
      sentence:
        'The metadata of the SAML identity provider could not be read for three days. If the provider changes its ' +
        'keys, no one can sign in through it. Test the connection next to the setting.',
      values: {},
      setting,
    });
  if (EMAIL_ATTRIBUTE.test(attribute))
    out.push({
      level: 'warning',
      code: 'outside-identity-email',
      subject: 'Signing in',
      sentence:
        'People are recognised by their e-mail address at the identity provider. Addresses change hands: choose a ' +
        'value that stays with one person.',
      values: {},
      setting: 'integrations.saml.identity_attribute',
    });
  return out;
}
