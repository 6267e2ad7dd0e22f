/**
 * Verifies the signatures of a SAML answer that came through the gate, and returns what is signed.
 *
 * What is read afterwards is the canonical form alone: the very bytes that the provider has signed.
 */
import type { KeyObject } from 'node:crypto';
import { signedForm, type XmlName } from '../../../lib/xml/signature.ts';
import { readStrictXml, RefusedXml, xmlAttribute, xmlChildrenNamed, type XmlElement } from '../../../lib/xml/strict.ts';
import { RefusedAnswer, refuseAnswer } from '../proof.ts';
import { type GatedResponse, RESPONSE_LIMITS } from './gate.ts';
import { SAML } from './names.ts';

/** An answer of which the assertion is signed. The response is as it came, unless it is signed itself. */
export interface VerifiedResponse {
  response: XmlElement;
  assertion: XmlElement;
}

const ASSERTION = { namespace: SAML.assertion, local: 'Assertion' } as const;

/** Returns what the signatures are over. Each of them has to be good. Throws `RefusedAnswer`. */
export function verifyResponse(gated: GatedResponse, keys: readonly KeyObject[]): VerifiedResponse {
  const { text, signed } = gated;
  const verified = (path: readonly XmlName[], local: string, id: string): XmlElement => {
    const form = signedForm(text, path, keys) ?? refuseAnswer('signature');
    const element = strictly(form);
    const isIt = element.local === local && xmlAttribute(element, 'ID') === id;
    return isIt ? element : refuseAnswer('a signature over another element');
  };
  let { response } = gated;
  let assertion: XmlElement | undefined;
  if (signed.response !== undefined) {
    response = verified([], 'Response', signed.response);
    [assertion] = xmlChildrenNamed(response, SAML.assertion, 'Assertion');
  }
  if (signed.assertion !== undefined) assertion = verified([ASSERTION], 'Assertion', signed.assertion);
  return { response, assertion: assertion ?? refuseAnswer('nothing signed') };
}

function strictly(form: string): XmlElement {
  try {
    return readStrictXml(form, RESPONSE_LIMITS);
  } catch (error) {
    if (error instanceof RefusedXml) throw new RefusedAnswer(error.detail, error);
    throw error;
  }
}
