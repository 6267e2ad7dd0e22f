/** Settings of signing in, here and through identity providers, and of the directory. */
import {
  boolean,
  booleanSamples,
  documentText,
  longText,
  providerUrlSamples,
  secret,
  setting,
  settingGroup,
  shortTextSamples,
  text,
  time,
  type SettingTypesOf,
  url,
} from '../config/index.ts';
import { CALLBACK_PATH } from '../contract/identity/oidc.ts';

const securityGroup = settingGroup('security', 'Security');
const authGroup = settingGroup('auth', 'Signing in');
const oidcGroup = settingGroup('integrations.oidc', 'Single sign-on with OpenID Connect');
const samlGroup = settingGroup('integrations.saml', 'Single sign-on with SAML');
const scimGroup = settingGroup('integrations.scim', 'Provisioning with SCIM');

export const identitySettings = [
  setting({
    key: 'security.require_mfa',
    env: 'SERVICE_REQUIRE_MFA',
    group: securityGroup,
    title: 'Require a second factor',
    personOnly: true,
    type: boolean,
    default: 'true',
    restart: false,
    doc: 'Asks everyone who signs in with a password for a second factor.',
    general: true,
    samples: booleanSamples,
  }),
  setting({
    key: 'security.stay_signed_in',
    env: 'SERVICE_STAY_SIGNED_IN',
    group: securityGroup,
    title: 'Let browsers stay signed in',
    personOnly: true,
    addition: true,
    type: boolean,
    default: 'true',
    restart: false,
    doc:
      'Offers to stay signed in: for 90 days, and until the browser was not used for 30. When it is turned off, ' +
      'such sessions end as usual: after 15 minutes without use, and after 8 hours.',
    samples: booleanSamples,
  }),
  setting({
    key: 'auth.url',
    env: 'SERVICE_AUTH_URL',
    group: authGroup,
    title: 'Public address',
    personOnly: true,
    type: url('provider'),
    restart: true,
    doc:
      'Address at which browsers reach this server, for passkeys and sign-in through others. With remote ' +
      'access by HTTPS it must be exactly https:// and the full remote name.',
    samples: providerUrlSamples,
  }),
  setting({
    key: 'integrations.oidc.issuer',
    env: 'SERVICE_OIDC_ISSUER',
    group: oidcGroup,
    title: 'Issuer address',
    personOnly: true,
    type: url('provider'),
    restart: true,
    doc:
      'Issuer for signing in with OpenID Connect, exactly as it calls itself. It may be on the home network, over ' +
      'https with a certificate that this server trusts.',
    samples: providerUrlSamples,
  }),
  setting({
    key: 'integrations.oidc.client_id',
    env: 'SERVICE_OIDC_CLIENT_ID',
    group: oidcGroup,
    title: 'Client ID',
    personOnly: true,
    type: text({ max: 512 }),
    restart: true,
    doc: 'Client name of this server at the issuer.',
    samples: shortTextSamples,
  }),
  setting({
    key: 'integrations.oidc.client_secret',
    env: 'SERVICE_OIDC_CLIENT_SECRET',
    group: oidcGroup,
    title: 'Client secret',
    personOnly: true,
    type: secret({ max: 1024 }),
    belongsTo: ['integrations.oidc.issuer'],
    restart: true,
    doc: 'Client secret of this server at the issuer, where it has one.',
    samples: shortTextSamples,
  }),
  setting({
    key: 'integrations.oidc.redirect_url',
    env: 'SERVICE_OIDC_REDIRECT_URL',
    group: oidcGroup,
    title: 'Redirect address',
    personOnly: true,
    type: url('provider', { path: CALLBACK_PATH }),
    restart: true,
    doc:
      'Address to which the issuer sends the browser back: that of this dashboard with the path /oidc/callback. ' +
      'Register the same address at the issuer.',
    samples: () => ({
      good: [
        'https://media.example.org/oidc/callback',
        'https://192.168.1.5:38128/oidc/callback',
        'http://localhost:38128/oidc/callback',
      ],
      bad: [
        'https://media.example.org',
        'https://media.example.org/oidc/callback/',
        'https://media.example.org/x/oidc/callback',
        'https://media.example.org/oidc/callback?a=b',
        'https://media.example.org/oidc/callback?',
        'http://media.example.org/oidc/callback',
      ],
    }),
  }),
  setting({
    key: 'integrations.oidc.identity_claim',
    env: 'SERVICE_OIDC_IDENTITY_CLAIM',
    group: oidcGroup,
    title: 'Claim that names the person',
    personOnly: true,
    type: text({ max: 128 }),
    default: 'sub',
    restart: true,
    doc:
      'Claim of the ID token that names the person. An e-mail address counts only if the issuer has verified it, and ' +
      'addresses change hands: keep sub unless the issuer documents another.',
    samples: () => ({ good: ['sub', 'https://example.org/claims/id'], bad: [longText(129), 'a\nb'] }),
  }),
  setting({
    key: 'integrations.saml.url',
    env: 'SERVICE_SAML_URL',
    group: samlGroup,
    title: 'Address of this server',
    personOnly: true,
    addition: true,
    type: url('provider'),
    restart: true,
    unset: 'The public address, auth.url',
    doc:
      'Address of this dashboard at home, with https, at which people sign in with SAML. Set it if the public ' +
      'address is only for remote access. The identity provider knows this server by it.',
    samples: providerUrlSamples,
  }),
  setting({
    key: 'integrations.saml.metadata_url',
    env: 'SERVICE_SAML_METADATA_URL',
    group: samlGroup,
    title: 'Metadata address',
    personOnly: true,
    type: url('provider'),
    restart: true,
    doc:
      "Address of the SAML identity provider's metadata, which is read each day. Not together with metadata_xml. " +
      'It may be on the home network, over https with a certificate that this server trusts.',
    samples: providerUrlSamples,
  }),
  setting({
    key: 'integrations.saml.metadata_xml',
    env: 'SERVICE_SAML_METADATA_XML',
    group: samlGroup,
    title: 'Metadata document',
    personOnly: true,
    type: documentText(262_144),
    restart: true,
    doc:
      "The SAML identity provider's metadata itself, for a provider that has no address for it. " +
      'Not together with metadata_url.',
    samples: () => ({
      good: ['<md:EntityDescriptor/>', '<a>\n\t<b/>\r\n</a>', longText(262_144)],
      bad: [longText(262_145), '<a>\u0000</a>', '<a>\u001b</a>'],
    }),
  }),
  setting({
    key: 'integrations.saml.identity_attribute',
    env: 'SERVICE_SAML_IDENTITY_ATTRIBUTE',
    group: samlGroup,
    title: 'Attribute that names the person',
    personOnly: true,
    type: text({ max: 256 }),
    default: 'NameID',
    restart: true,
    doc:
      'Name of the attribute that names the person, with exactly one value; or NameID. E-mail addresses change ' +
      'hands: choose a value that stays with one person.',
    samples: () => ({
      good: ['NameID', 'urn:oid:0.9.2342.19200300.100.1.3'],
      bad: [longText(257), 'a\nb'],
    }),
  }),
  setting({
    key: 'integrations.scim.token',
    env: 'SERVICE_SCIM_TOKEN',
    group: scimGroup,
    title: 'Access token',
    personOnly: true,
    type: secret({ min: 32, max: 256, visible: true }),
    belongsTo: [],
    restart: true,
    doc:
      'Token with which a directory manages Profiles over SCIM. Needs token_expires_at. The page Directory creates ' +
      'one that works at once.',
    samples: () => ({
      good: [longText(32), longText(256)],
      bad: [longText(31), longText(257), `${longText(32)} `, 'é'.repeat(40)],
    }),
  }),
  setting({
    key: 'integrations.scim.token_expires_at',
    env: 'SERVICE_SCIM_TOKEN_EXPIRES_AT',
    group: scimGroup,
    title: 'Token expires',
    personOnly: true,
    type: time,
    restart: true,
    doc: 'When the SCIM token expires: in the future, and at most 90 days away when it is saved.',
    samples: () => ({
      good: [
        '2030-01-31T12:00:00Z',
        '2030-01-31t12:00:00z',
        '2028-02-29T23:59:59.123456789+02:00',
        '2030-01-31T12:00:00-11:30',
      ],
      bad: [
        '2030-01-31',
        '2030-01-31 12:00:00Z',
        '2030-01-31T12:00:00',
        '2030-02-30T12:00:00Z',
        '2029-02-29T12:00:00Z',
        '2030-13-01T12:00:00Z',
        '2030-01-31T24:00:00Z',
        '2030-01-31T12:60:00Z',
        '2030-01-31T12:00:00+24:00',
        'tomorrow',
        '1900000000',
      ],
    }),
  }),
] as const;

declare module '../config/setting.ts' {
  interface SettingTypes extends SettingTypesOf<typeof identitySettings> {}
}
