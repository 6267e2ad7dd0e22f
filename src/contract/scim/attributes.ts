/**
 * Attributes of a SCIM user (RFC 7643): those that are kept, and those that are accepted and not kept.
 *
 * The schema document, the shape of replies, filters, paths of changes and the choice of attributes in a reply all
 * read this table. A media server needs a name and an address; what else a directory knows about a person stays there.
 */

/** URN of the schema of users. */
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
/** URN of the extension that directories send for employees. It is accepted and not kept. */
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

export interface ScimAttribute {
  name: string;
  type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex';
  description: string;
  multiValued?: true;
  required?: true;
  /** Whether comparisons tell upper from lower case. */
  caseExact?: true;
  readOnly?: true;
  /** Whether it is in every reply, whatever the caller chose. */
  always?: true;
  unique?: true;
  canonicalValues?: readonly string[];
  subAttributes?: readonly ScimAttribute[];
}

const text = (name: string, description: string): ScimAttribute => ({ name, type: 'string', description });

const NAME: readonly ScimAttribute[] = [
  text('formatted', 'Full name.'),
  text('familyName', 'Family name.'),
  text('givenName', 'Given name.'),
  text('middleName', 'Middle names.'),
  text('honorificPrefix', 'Title before the name.'),
  text('honorificSuffix', 'Title after the name.'),
];
const EMAIL: readonly ScimAttribute[] = [
  { name: 'value', type: 'string', description: 'E-mail address.', required: true },
  text('display', 'Name of the address for people.'),
  { ...text('type', 'Purpose of the address.'), canonicalValues: ['work', 'home', 'other'] },
  { name: 'primary', type: 'boolean', description: 'Whether it is the preferred address. At most one is.' },
];

/** Attributes of users that are kept. */
export const USER_ATTRIBUTES: readonly ScimAttribute[] = [
  {
    name: 'userName',
    type: 'string',
    description: 'Name with which the person signs in at the directory. Compared in any case.',
    required: true,
    unique: true,
  },
  { name: 'name', type: 'complex', description: 'Parts of the name of the person.', subAttributes: NAME },
  text('displayName', 'Name for people. The Profile has it, unless another Profile has.'),
  text('nickName', 'Name by which the person is called.'),
  text('preferredLanguage', 'Languages of the person, as in Accept-Language.'),
  text('locale', 'Region of the person for numbers and dates.'),
  text('timezone', 'Time zone of the person.'),
  { name: 'active', type: 'boolean', description: 'Whether the person may sign in.' },
  { name: 'emails', type: 'complex', description: 'E-mail addresses.', multiValued: true, subAttributes: EMAIL },
];

/** Attributes of every resource. */
export const COMMON_ATTRIBUTES: readonly ScimAttribute[] = [
  {
    name: 'schemas',
    type: 'reference',
    description: 'URNs of the schemas of the resource.',
    multiValued: true,
    caseExact: true,
    readOnly: true,
    always: true,
  },
  {
    name: 'id',
    type: 'string',
    description: 'Id that this server gave the resource.',
    caseExact: true,
    readOnly: true,
    always: true,
  },
  { name: 'externalId', type: 'string', description: 'Id of the person in the directory.', caseExact: true },
  {
    name: 'meta',
    type: 'complex',
    description: 'Facts about the resource.',
    readOnly: true,
    subAttributes: [
      { name: 'resourceType', type: 'string', description: 'Type of the resource.', caseExact: true, readOnly: true },
      { name: 'created', type: 'dateTime', description: 'When it was made.', readOnly: true },
      { name: 'lastModified', type: 'dateTime', description: 'When it was changed last.', readOnly: true },
      { name: 'location', type: 'reference', description: 'Its address.', caseExact: true, readOnly: true },
      { name: 'version', type: 'string', description: 'Its version, as an ETag.', caseExact: true, readOnly: true },
    ],
  },
];

/** Attributes of the core schema that are accepted and not kept. A password is dropped unread. */
export const DROPPED_ATTRIBUTES: readonly string[] = [
  'addresses',
  'entitlements',
  'groups',
  'ims',
  'password',
  'phoneNumbers',
  'photos',
  'profileUrl',
  'roles',
  'title',
  'userType',
  'x509Certificates',
];
