/** The endpoints of the directory and those of the Owner who sets it up, each tied to the operation that does it. */
import { directory } from '../contract/scim/directory.ts';
import { USER_SCHEMA } from '../contract/scim/attributes.ts';
import { scim } from '../contract/scim/users.ts';
import { implement, type MountedEndpoint } from '../http/handle.ts';
import { found } from '../lib/failure.ts';
import { configurationOf, userSchemaOf, userTypeOf } from './documents.ts';
import type { Scim } from './index.ts';
import { listReply, originOf } from './users.ts';

/** Returns a document that is asked for by its id, which is compared in any case. */
const only = <T>(asked: string, id: string, document: T): T =>
  found(asked.toLowerCase() === id.toLowerCase() ? document : undefined, 'no such document', 'no-such-route');

export const directoryRoutes = ({ token }: Pick<Scim, 'token'>): MountedEndpoint[] =>
  implement(directory, {
    read: () => token.read(),
    createToken: (given, { by, from }) => token.create(given, { by, from }),
    removeToken: (_given, { by, from }) => token.remove({ by, from }),
  });

export const scimRoutes = ({ users }: Pick<Scim, 'users'>): MountedEndpoint[] =>
  implement(scim, {
    configuration: (_given, { from }) => configurationOf(originOf(from)),
    types: (_given, { from }) => listReply([userTypeOf(originOf(from))]),
    type: ({ urn }, { from }) => only(urn, 'User', userTypeOf(originOf(from))),
    schemas: (_given, { from }) => listReply([userSchemaOf(originOf(from))]),
    schema: ({ urn }, { from }) => only(urn, USER_SCHEMA, userSchemaOf(originOf(from))),
    list: (given, call) => users.list(given, call),
    create: (given, call) => users.create(given, call),
    read: (given, call) => users.read(given, call),
    replace: (given, call) => users.replace(given, call),
    change: (given, call) => users.patch(given, call),
    remove: (given, call) => users.remove(given, call),
  });
