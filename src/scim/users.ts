/** The operations of a directory on users, between the protocol and identity. */
import { MAX_SCIM_COUNT, SCIM_MESSAGES } from '../contract/scim/users.ts';
import type { ServiceCaller } from '../contract/kernel/principal.ts';
import type { DirectoryUser, Identity } from '../identity/index.ts';
import { matches, type ScimObject } from './matching.ts';
import { applyPatch, readPatch } from './patch.ts';
import { type ChosenAttributes, createProjection } from './projection.ts';
import { type Draft, userDraft, personOf, readUser, resourceOf } from './resource.ts';
import { parseFilter } from './syntax.ts';

const USUAL_COUNT = 100;

/** Origin of a request: the caller as identity needs it. */
type CallerOrigin = Parameters<Identity['operations']['directory']['create']>[0]['from'];

/** A request, as far as the operations need it. */
export interface ScimCall {
  service: ServiceCaller;
  from: CallerOrigin;
  /** Says which version is shown or about to change. */
  version(tag: string): void;
  /** Says which version a change has made. */
  madeVersion(tag: string): void;
  header(name: string, value: string): void;
}

export interface ScimList {
  schemas: [typeof SCIM_MESSAGES.list];
  totalResults: number;
  startIndex: number;
  itemsPerPage: number;
  Resources: ScimObject[];
}

export const listReply = <T extends ScimObject>(resources: T[], all = resources.length, startIndex = 1) => ({
  schemas: [SCIM_MESSAGES.list] as [typeof SCIM_MESSAGES.list],
  totalResults: all,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

export const originOf = ({ isSecure, host }: CallerOrigin): string => `${isSecure ? 'https' : 'http'}://${host}`;

export function createScimUsers({ directory }: Pick<Identity['operations'], 'directory'>) {
  /** Replies with a user that was made or changed. Its choice of attributes was read before anything changed. */
  const changed = (user: DirectoryUser, call: ScimCall, project: (of: ScimObject) => ScimObject): ScimObject => {
    call.madeVersion(user.version);
    return project(resourceOf(user, originOf(call.from)));
  };
  const change = (
    given: { id: string } & ChosenAttributes,
    call: ScimCall,
    next: (before: Draft) => Draft,
  ): Promise<ScimObject> => {
    const project = createProjection(given);
    return directory
      .change({
        id: given.id,
        by: call.service,
        from: call.from,
        check: call.version,
        next: (user) => personOf(next(userDraft(user))),
      })
      .then((user) => changed(user, call, project));
  };

  return {
    list: (
      given: ChosenAttributes & {
        filter?: string | undefined;
        startIndex?: number | undefined;
        count?: number | undefined;
      },
      { from }: ScimCall,
    ): ScimList => {
      const project = createProjection(given);
      const filter = given.filter === undefined ? undefined : parseFilter(given.filter);
      const all = directory
        .list()
        .map((user) => resourceOf(user, originOf(from)))
        .filter((user) => filter === undefined || matches(filter, user));
      const startIndex = Math.max(1, given.startIndex ?? 1);
      const count = Math.min(Math.max(0, given.count ?? USUAL_COUNT), MAX_SCIM_COUNT);
      return listReply(all.slice(startIndex - 1, startIndex - 1 + count).map(project), all.length, startIndex);
    },
    read: ({ id, ...chosen }: { id: string } & ChosenAttributes, call: ScimCall): ScimObject => {
      const project = createProjection(chosen);
      const user = directory.read(id);
      call.version(user.version);
      return project(resourceOf(user, originOf(call.from)));
    },
    create: async (
      { attributes, excludedAttributes, ...body }: ScimObject & ChosenAttributes,
      call: ScimCall,
    ): Promise<ScimObject> => {
      const project = createProjection({ attributes, excludedAttributes });
      const person = personOf(readUser(body).draft);
      const user = await directory.create({ person, by: call.service, from: call.from });
      call.header('location', String((resourceOf(user, originOf(call.from))['meta'] as Draft)['location']));
      return changed(user, call, project);
    },
    /** Replaces what the body says. An external id or state that it leaves out stays as it is. */
    replace: (
      { id, attributes, excludedAttributes, ...body }: ScimObject & ChosenAttributes & { id: string },
      call: ScimCall,
    ): Promise<ScimObject> => {
      const { draft, names } = readUser(body);
      return change({ id, attributes, excludedAttributes }, call, ({ externalId, active }) => ({
        ...(!names.has('externalId') && externalId !== undefined && { externalId }),
        ...draft,
        active: draft['active'] ?? active,
      }));
    },
    patch: (
      { id, attributes, excludedAttributes, ...body }: ScimObject & ChosenAttributes & { id: string },
      call: ScimCall,
    ): Promise<ScimObject> => {
      const operations = readPatch(body);
      return change({ id, attributes, excludedAttributes }, call, (before) => applyPatch(before, operations));
    },
    remove: ({ id }: { id: string }, call: ScimCall): Promise<void> =>
      directory.remove({ id, by: call.service, from: call.from, check: call.version }),
  };
}
