/** Settings of the services that the server talks to and the protocols that it speaks to others. */
import { setting } from '../setting.ts';
import { argument, boolean, documentText, oneOf, program, secret, text } from '../types/basic.ts';
import { databaseUrl, url } from '../types/network.ts';
import { time } from '../types/time.ts';

const apiKey = secret({ max: 512, visible: true });
const architectures = ['tiny', 'base', 'small', 'medium', 'large.v1', 'large.v2', 'large.v3', 'large.v3.turbo', 'tiny.en', 'base.en', 'small.en', 'medium.en'] as const;

export const integrationSettings = [
  setting({ key: 'integrations.metadata.url', env: 'SERVICE_METADATA_URL', type: url('provider'), restart: true, doc: 'API address of the metadata provider.' }),
  setting({ key: 'integrations.metadata.image_url', env: 'SERVICE_METADATA_IMAGE_URL', type: url('provider'), restart: true, doc: 'Address of the metadata provider\'s pictures.' }),
  setting({ key: 'integrations.metadata.token', env: 'SERVICE_METADATA_TOKEN', type: secret({ max: 4096, visible: true }), belongsTo: ['integrations.metadata.url'], restart: true, doc: 'Token for the metadata provider.' }),
  setting({ key: 'integrations.media_compat.enabled', env: 'SERVICE_MEDIA_COMPAT_ENABLED', type: boolean, default: 'false', restart: false, doc: 'Let clients of a compatible media server connect. Needs trusted HTTPS (tls.dns_a).' }),
  setting({ key: 'integrations.home_automation.enabled', env: 'SERVICE_HOME_AUTOMATION_ENABLED', type: boolean, restart: false, doc: 'Offer players and what they play to home automation.' }),
  setting({ key: 'integrations.subtitles_a.url', env: 'SERVICE_SUBTITLES_A_URL', type: url('provider'), restart: true, doc: 'API address of the first subtitle provider.' }),
  setting({ key: 'integrations.subtitles_a.api_key', env: 'SERVICE_SUBTITLES_A_API_KEY', type: apiKey, belongsTo: ['integrations.subtitles_a.url'], restart: true, doc: 'API key for the first subtitle provider.' }),
  setting({ key: 'integrations.subtitles_b.url', env: 'SERVICE_SUBTITLES_B_URL', type: url('provider'), default: 'https://api.subsource.net/api/v1', restart: true, doc: 'API address of the second subtitle provider.' }),
  setting({ key: 'integrations.subtitles_b.api_key', env: 'SERVICE_SUBTITLES_B_API_KEY', type: apiKey, belongsTo: ['integrations.subtitles_b.url'], restart: true, doc: 'API key for the second subtitle provider. Needs personal_use.' }),
  setting({ key: 'integrations.subtitles_b.personal_use', env: 'SERVICE_SUBTITLES_B_PERSONAL_USE', type: boolean, restart: true, doc: 'States that the second subtitle provider is used personally, as its terms ask.' }),
  setting({ key: 'integrations.subtitles_c.url', env: 'SERVICE_SUBTITLES_C_URL', type: url('provider'), default: 'https://api.opensubtitles.com/api/v1', restart: true, doc: 'API address of the third subtitle provider.' }),
  setting({ key: 'integrations.subtitles_c.api_key', env: 'SERVICE_SUBTITLES_C_API_KEY', type: apiKey, belongsTo: ['integrations.subtitles_c.url'], restart: true, doc: 'API key for the third subtitle provider. Needs its user name and password.' }),
  setting({ key: 'integrations.subtitles_c.username', env: 'SERVICE_SUBTITLES_C_USERNAME', type: secret({ max: 256 }), belongsTo: ['integrations.subtitles_c.url'], restart: true, doc: 'User name at the third subtitle provider.' }),
  setting({ key: 'integrations.subtitles_c.password', env: 'SERVICE_SUBTITLES_C_PASSWORD', type: secret({ max: 1024 }), belongsTo: ['integrations.subtitles_c.url'], restart: true, doc: 'Password at the third subtitle provider.' }),
  setting({ key: 'integrations.oidc.issuer', env: 'SERVICE_OIDC_ISSUER', personOnly: true, type: url('provider'), restart: true, doc: 'Issuer for signing in with OpenID Connect.' }),
  setting({ key: 'integrations.oidc.client_id', env: 'SERVICE_OIDC_CLIENT_ID', personOnly: true, type: text({ max: 512 }), restart: true, doc: 'Client name of this server at the issuer.' }),
  setting({ key: 'integrations.oidc.client_secret', env: 'SERVICE_OIDC_CLIENT_SECRET', personOnly: true, type: secret({ max: 1024 }), belongsTo: ['integrations.oidc.issuer'], restart: true, doc: 'Client secret of this server at the issuer, where it has one.' }),
  setting({ key: 'integrations.oidc.redirect_url', env: 'SERVICE_OIDC_REDIRECT_URL', personOnly: true, type: url('provider'), restart: true, doc: 'Address to which the issuer sends the browser back.' }),
  setting({ key: 'integrations.oidc.identity_claim', env: 'SERVICE_OIDC_IDENTITY_CLAIM', personOnly: true, type: text({ max: 128 }), default: 'sub', restart: true, doc: 'Claim that names the person.' }),
  setting({ key: 'integrations.saml.metadata_url', env: 'SERVICE_SAML_METADATA_URL', personOnly: true, type: url('provider'), restart: true, doc: 'Address of the SAML identity provider\'s metadata. Not together with metadata_xml.' }),
  setting({ key: 'integrations.saml.metadata_xml', env: 'SERVICE_SAML_METADATA_XML', personOnly: true, type: documentText(262_144), restart: true, doc: 'The SAML identity provider\'s metadata itself. Not together with metadata_url.' }),
  setting({ key: 'integrations.saml.identity_attribute', env: 'SERVICE_SAML_IDENTITY_ATTRIBUTE', personOnly: true, type: text({ max: 256 }), default: 'NameID', restart: true, doc: 'Attribute that names the person.' }),
  setting({ key: 'integrations.scim.token', env: 'SERVICE_SCIM_TOKEN', personOnly: true, type: secret({ min: 32, max: 256, visible: true }), restart: true, doc: 'Token with which a directory manages Profiles over SCIM. Needs token_expires_at.' }),
  setting({ key: 'integrations.scim.token_expires_at', env: 'SERVICE_SCIM_TOKEN_EXPIRES_AT', personOnly: true, type: time, restart: true, doc: 'When the SCIM token ends: in the future, and at most 90 days away when it is saved.' }),
  setting({ key: 'integrations.mcp.resource_url', env: 'SERVICE_MCP_RESOURCE_URL', personOnly: true, type: url('https', { endsWith: 'mcp' }), restart: true, doc: 'Public address of the agent endpoint, ending in /mcp. All five MCP settings go together.' }),
  setting({ key: 'integrations.mcp.authorization_server', env: 'SERVICE_MCP_AUTHORIZATION_SERVER', personOnly: true, type: url('https'), restart: true, doc: 'OAuth server that gives agents their tokens.' }),
  setting({ key: 'integrations.mcp.introspection_url', env: 'SERVICE_MCP_INTROSPECTION_URL', personOnly: true, type: url('https'), restart: true, doc: 'Where that OAuth server says whether a token holds.' }),
  setting({ key: 'integrations.mcp.client_id', env: 'SERVICE_MCP_CLIENT_ID', personOnly: true, type: text({ max: 512 }), restart: true, doc: 'Client name of this server at that OAuth server.' }),
  setting({ key: 'integrations.mcp.client_secret', env: 'SERVICE_MCP_CLIENT_SECRET', personOnly: true, type: secret({ max: 1024 }), belongsTo: ['integrations.mcp.authorization_server', 'integrations.mcp.introspection_url'], restart: true, doc: 'Client secret of this server at that OAuth server.' }),
  setting({ key: 'integrations.webhook.url', env: 'SERVICE_WEBHOOK_URL', type: url('provider'), restart: true, doc: 'Address that is told about events.' }),
  setting({ key: 'integrations.webhook.token', env: 'SERVICE_WEBHOOK_TOKEN', type: secret({ max: 1024, visible: true }), belongsTo: ['integrations.webhook.url'], restart: true, doc: 'Token that is sent with every event.' }),
  setting({ key: 'binaries.tesseract', env: 'SERVICE_TESSERACT', personOnly: true, type: program, default: 'tesseract', restart: true, doc: 'The tesseract program, which reads subtitles that are pictures.' }),
  setting({ key: 'binaries.whisper', env: 'SERVICE_WHISPER', personOnly: true, type: program, default: 'whisper-cli', restart: true, doc: 'The whisper program, which drafts subtitles from speech.' }),
  setting({ key: 'subtitles.transcription_model', env: 'SERVICE_TRANSCRIPTION_MODEL', type: argument, restart: true, doc: 'Model file for drafting subtitles from speech.' }),
  setting({ key: 'subtitles.transcription_architecture', env: 'SERVICE_TRANSCRIPTION_ARCHITECTURE', type: oneOf(architectures), default: 'small', restart: true, doc: 'Architecture of that model.' }),
  setting({ key: 'database.url', env: 'SERVICE_DATABASE_URL', type: databaseUrl, restart: true, addition: true, doc: 'PostgreSQL database to use in place of the embedded one, for a household that outgrows one machine.' }),
] as const;
