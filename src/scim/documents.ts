/** The documents with which a directory learns what this server can do (RFC 7643, sections 5 to 7). */
import { COMMON_ATTRIBUTES, type ScimAttribute, USER_ATTRIBUTES, USER_SCHEMA } from '../contract/scim/attributes.ts';
import { MAX_SCIM_COUNT, SCIM_PATH } from '../contract/scim/users.ts';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';

export interface ScimDocument {
  schemas: string[];
  [name: string]: unknown;
}

const metaOf = (resourceType: string, address: string) => ({ resourceType, location: address });

export const configurationOf = (origin: string): ScimDocument => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_SCIM_COUNT },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token that an Owner made for the directory.',
      primary: true,
    },
  ],
  meta: metaOf('ServiceProviderConfig', `${origin}${SCIM_PATH}/ServiceProviderConfig`),
});

export const userTypeOf = (origin: string): ScimDocument => ({
  schemas: [`${CORE}:ResourceType`],
  id: 'User',
  name: 'User',
  description: 'Viewer Profile that the directory made.',
  endpoint: '/Users',
  schema: USER_SCHEMA,
  schemaExtensions: [],
  meta: metaOf('ResourceType', `${origin}${SCIM_PATH}/ResourceTypes/User`),
});

/** The attributes of every resource that belong to no schema. */
const OUTSIDE: ReadonlySet<string> = new Set(COMMON_ATTRIBUTES.map(({ name }) => name));

export const userSchemaOf = (origin: string): ScimDocument => ({
  schemas: [`${CORE}:Schema`],
  id: USER_SCHEMA,
  name: 'User',
  description: 'Viewer Profile that the directory made.',
  attributes: USER_ATTRIBUTES.filter(({ name }) => !OUTSIDE.has(name)).map(described),
  meta: metaOf('Schema', `${origin}${SCIM_PATH}/Schemas/${USER_SCHEMA}`),
});

function described(one: ScimAttribute): object {
  const { name, type, description, multiValued, required, caseExact, readOnly, always, unique } = one;
  return {
    name,
    type,
    multiValued: multiValued ?? false,
    description,
    required: required ?? false,
    ...(one.canonicalValues && { canonicalValues: one.canonicalValues }),
    ...((type === 'string' || type === 'reference') && { caseExact: caseExact ?? false }),
    mutability: readOnly ? 'readOnly' : 'readWrite',
    returned: always ? 'always' : 'default',
    uniqueness: unique ? 'server' : 'none',
    ...(one.subAttributes && { subAttributes: one.subAttributes.map(described) }),
  };
}
