/**
 * SCIM 2.0 (RFC 7643, RFC 7644): the routes with which a directory manages Profiles as users.
 *
 * They are on the home network only, and take only the token of the directory. Failures have the form of
 * SCIM. Bodies may have any field, as the protocol demands; what is kept of them is in `attributes.ts`.
 */
import { z } from 'zod';
import { integer } from '../kernel/common.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { surface } from '../kernel/surface.ts';
import type { FailureReason } from '../failures.ts';
import { COMMON_ATTRIBUTES, type ScimAttribute, USER_ATTRIBUTES } from './attributes.ts';

/** Path below which the routes are: what a person pastes into the directory ends in it. */
export const SCIM_PATH = '/scim/v2';
export const SCIM_MESSAGES = {
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
} as const;
/** Largest number of users in one reply. */
export const MAX_SCIM_COUNT = 200;
const SCIM_TYPE = 'application/scim+json';
const MAX_BODY_BYTES = 64 * 1024;
const MAX_INTEGER = 1_000_000_000;

/** Error words of SCIM (RFC 7644, table 9) by our reasons. */
const SCIM_TYPES: { readonly [reason in FailureReason]?: string } = {
  'filter-invalid': 'invalidFilter',
  'path-invalid': 'invalidPath',
  'value-invalid': 'invalidValue',
  'field-invalid': 'invalidValue',
  'target-missing': 'noTarget',
  'attribute-read-only': 'mutability',
  'schema-missing': 'invalidSyntax',
  'body-malformed': 'invalidSyntax',
  'field-repeated': 'invalidSyntax',
  'directory-name-taken': 'uniqueness',
  'directory-id-taken': 'uniqueness',
};

const ScimError = z.strictObject({
  schemas: z.tuple([z.literal(SCIM_MESSAGES.error)]),
  status: z.string(),
  scimType: z.string().optional(),
  detail: z.string(),
});

export const SCIM = surface({
  name: 'scim',
  prefixes: ['/scim'],
  failure: {
    type: SCIM_TYPE,
    shape: ScimError,
    body: ({ status, message, reason }) => {
      const scimType = SCIM_TYPES[reason];
      return JSON.stringify({
        schemas: [SCIM_MESSAGES.error],
        status: String(status),
        ...(scimType !== undefined && { scimType }),
        detail: message,
      } satisfies z.input<typeof ScimError>);
    },
  },
  json: { accepts: [SCIM_TYPE, 'application/json'], returns: SCIM_TYPE },
  maxBodyBytes: MAX_BODY_BYTES,
  fields: { unknown: 'ignored', repeated: 'refused' },
  validators: 'weak',
});

/** Returns the shape of a value, so that no reply has an attribute that is not in the table. */
function shapeOf({ type, multiValued, subAttributes }: ScimAttribute): z.ZodType {
  const one = subAttributes ? shapeOfAll(subAttributes) : type === 'boolean' ? z.boolean() : z.string();
  return multiValued ? z.array(one) : one;
}
const shapeOfAll = (attributes: readonly ScimAttribute[]): z.ZodObject =>
  z.strictObject(Object.fromEntries(attributes.map((one) => [one.name, shapeOf(one).optional()])));

const User = shapeOfAll([...COMMON_ATTRIBUTES, ...USER_ATTRIBUTES]);
const Document = z.looseObject({ schemas: z.array(z.string()) });
const listOf = (resource: z.ZodType) =>
  z.strictObject({
    schemas: z.tuple([z.literal(SCIM_MESSAGES.list)]),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(resource),
  });

const access = { service: 'directory' } as const;
// Directories ask for ids of other servers too: those are unknown, not malformed.
const byId = z.strictObject({ id: z.string().min(1).max(128) });
const byUrn = z.strictObject({ urn: z.string().min(1).max(128) });
const projection = {
  attributes: z.string().max(2_048).optional(),
  excludedAttributes: z.string().max(2_048).optional(),
};
const anyBody = z.looseObject({});
const base = { surface: SCIM, access } as const;
const changing = [
  'no-such-user',
  'value-invalid',
  'schema-missing',
  'directory-name-taken',
  'directory-id-taken',
] as const;

export const scim = {
  configuration: endpoint({
    ...base,
    method: 'GET',
    path: `${SCIM_PATH}/ServiceProviderConfig`,
    summary: 'Abilities of this server in SCIM',
    result: Document,
  }),
  types: endpoint({
    ...base,
    method: 'GET',
    path: `${SCIM_PATH}/ResourceTypes`,
    summary: 'Types of resources',
    result: listOf(Document),
  }),
  type: endpoint({
    ...base,
    method: 'GET',
    path: `${SCIM_PATH}/ResourceTypes/{urn}`,
    summary: 'One type of resources',
    params: byUrn,
    result: Document,
    fails: ['no-such-route'],
  }),
  schemas: endpoint({
    ...base,
    method: 'GET',
    path: `${SCIM_PATH}/Schemas`,
    summary: 'Schemas of resources',
    result: listOf(Document),
  }),
  schema: endpoint({
    ...base,
    method: 'GET',
    path: `${SCIM_PATH}/Schemas/{urn}`,
    summary: 'One schema',
    params: byUrn,
    result: Document,
    fails: ['no-such-route'],
  }),
  list: endpoint({
    ...base,
    method: 'GET',
    path: `${SCIM_PATH}/Users`,
    summary: 'Users that the directory made',
    query: z.object({
      filter: z.string().optional(),
      startIndex: integer(-MAX_INTEGER, MAX_INTEGER).optional(),
      count: integer(-MAX_INTEGER, MAX_INTEGER).optional(),
      ...projection,
    }),
    result: listOf(User),
    fails: ['filter-invalid', 'value-invalid'],
  }),
  create: endpoint({
    ...base,
    method: 'POST',
    path: `${SCIM_PATH}/Users`,
    summary: 'Make a user: a Viewer without a password, with nothing allowed',
    query: z.object(projection),
    body: anyBody,
    result: User,
    status: 201,
    conditional: true,
    fails: [...changing, 'too-many-profiles'],
  }),
  read: endpoint({
    ...base,
    method: 'GET',
    path: `${SCIM_PATH}/Users/{id}`,
    summary: 'One user',
    params: byId,
    query: z.object(projection),
    result: User,
    conditional: true,
    fails: ['no-such-user', 'value-invalid'],
  }),
  replace: endpoint({
    ...base,
    method: 'PUT',
    path: `${SCIM_PATH}/Users/{id}`,
    summary: 'Replace the attributes of a user',
    params: byId,
    query: z.object(projection),
    body: anyBody,
    result: User,
    conditional: true,
    fails: changing,
  }),
  change: endpoint({
    ...base,
    method: 'PATCH',
    path: `${SCIM_PATH}/Users/{id}`,
    summary: 'Change attributes of a user',
    params: byId,
    query: z.object(projection),
    body: anyBody,
    result: User,
    conditional: true,
    fails: [...changing, 'path-invalid', 'target-missing', 'attribute-read-only'],
  }),
  remove: endpoint({
    ...base,
    method: 'DELETE',
    path: `${SCIM_PATH}/Users/{id}`,
    summary: 'Remove a user; the Profile is kept for 30 days',
    params: byId,
    result: NOTHING,
    conditional: true,
    fails: ['no-such-user'],
  }),
};
