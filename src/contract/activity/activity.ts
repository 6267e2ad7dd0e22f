/** The activity log as Owners read it, and the notices that each person sees. */
import { z } from 'zod';
import { OWNER_READERS, SIGNED_IN } from '../kernel/access.ts';
import { Id, list, paging, Time } from '../kernel/common.ts';
import { about, idOf, rarely } from '../kernel/describe.ts';
import { endpoint, NOTHING } from '../kernel/endpoint.ts';
import { ACTIVITY_CATEGORIES, ACTIVITY_KINDS, ACTIVITY_OUTCOMES, type ActivityKind } from './kinds.ts';

const KIND_NAMES = Object.keys(ACTIVITY_KINDS) as [ActivityKind, ...ActivityKind[]];
const KIND_TEXTS = KIND_NAMES.map((kind) => `\`${kind}\`: ${ACTIVITY_KINDS[kind].summary}`).join(' ');
export const ACTIVITY_VIAS = ['session', 'household', 'key', 'link', 'console', 'directory', 'server'] as const;

const Who = z.strictObject({
  id: idOf('profile', 'Id of the Profile.'),
  name: z.string().optional().meta(about('Its present name. Left out once it was removed.', 'Ada')),
});

export const ActivityItem = z
  .strictObject({
    id: idOf('entry', 'Id of the entry.'),
    at: Time.meta(about('When it happened.', '2026-11-21T18:30:00.000Z')),
    category: z.enum(ACTIVITY_CATEGORIES).meta(about('What it is about.', 'security')),
    kind: z.string().meta({ description: `Kind of event. ${KIND_TEXTS}`, examples: ['sign-in'] }),
    outcome: z.enum(ACTIVITY_OUTCOMES).meta(about('How it ended.', 'done')),
    count: z.int().min(1).meta(about('Attempts of one minute that the entry stands for.', 1)),
    actor: Who.optional().meta(about('Who did it. Left out where no one is known, and for the server itself.')),
    via: z
      .enum(ACTIVITY_VIAS)
      .optional()
      .meta(
        about(
          'Through what: a session, a Profile on a household device, an API key, a signed link, the console of the ' +
            'server, a directory or identity provider, or the server by itself.',
          'session',
        ),
      ),
    profile: Who.optional().meta(about('Profile that it is about.')),
    target: z
      .strictObject({
        id: Id.meta(about('Id of the device, session, key, item, library or task.', '68f1b3c92de7a045')),
        name: z
          .string()
          .optional()
          .meta(about('Its present name or title. Left out where there is none any more.', 'Living room')),
      })
      .optional()
      .meta(about('Thing that it is about.')),
    reach: z
      .enum(['local', 'public'])
      .optional()
      .meta(about('Whether the request came from the home network or from outside.', 'local')),
    network: z.string().optional().meta(about('Network of the request: /24 of IPv4, /48 of IPv6.', '192.168.1.0/24')),
    details: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .meta({ description: 'Words and numbers about it, by its kind.', examples: [{ way: 'passkey' }] }),
  })
  .meta({ id: 'ActivityItem', description: 'Entry of the activity log.' });
export type ActivityItem = z.output<typeof ActivityItem>;

const filters = {
  category: z.enum(ACTIVITY_CATEGORIES).optional().meta(about('Only this category.', 'security')),
  kind: z
    .enum(KIND_NAMES)
    .optional()
    .meta({ description: 'Only this kind.', examples: ['sign-in'] }),
  profile: Id.optional().meta({ description: 'Only what this Profile did, or what is about it.', examples: [] }),
  outcome: z.enum(ACTIVITY_OUTCOMES).optional().meta(about('Only this outcome.', 'refused')),
  from: Time.optional().meta({ description: 'First moment.', examples: ['2026-11-01T00:00:00.000Z'] }),
  to: Time.optional().meta({ description: 'Moment after the last one.', examples: ['2026-12-01T00:00:00.000Z'] }),
};
const ActivityCheck = z
  .strictObject({
    state: z
      .enum(['unchecked', 'whole', 'broken'])
      .meta(about('What the last check found. unchecked: there was none yet.', 'whole')),
    checkedAt: Time.optional().meta(about('When the log was checked.', '2026-11-21T04:10:00.000Z')),
    entries: z.int().min(0).optional().meta(about('Entries that were checked.', 1_204)),
    brokenAt: z
      .strictObject({
        number: z.int().meta(about('Number of the first entry that does not fit.', 377)),
        at: Time.optional().meta(about('Time of that entry, as far as it has one.', '2026-11-19T21:04:00.000Z')),
      })
      .optional()
      .meta(rarely('Where the log breaks. The command `audit verify` says more.')),
  })
  .meta({ id: 'ActivityCheck', description: 'Result of the last check of the activity log.' });
export type ActivityCheck = z.output<typeof ActivityCheck>;

export const EXPORT_FORMATS = ['jsonl', 'csv'] as const;

export const activity = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/activity',
    summary: 'Activity log, the newest entries first',
    description:
      'Lists entries of the activity log. Ids have their present names, as far as what they name exists. Entries are ' +
      'kept for `logging.audit_retention`, those of playback for `logging.playback_retention`.',
    access: OWNER_READERS,
    query: z.strictObject({ ...filters, ...paging }),
    result: list(ActivityItem).meta({ id: 'ActivityList', description: 'Page of the activity log.' }),
    fails: ['cursor'],
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/v1/activity/export',
    summary: 'All entries of a filter as a file',
    description:
      'Sends JSON, one entry a line, or a table for a spreadsheet. Cells of the table that a spreadsheet could take ' +
      'for a formula begin with an apostrophe.',
    access: OWNER_READERS,
    query: z.strictObject({
      ...filters,
      format: z.enum(EXPORT_FORMATS).default('jsonl').meta(about('Form of the file.', 'csv')),
    }),
    result: { bytes: ['application/x-ndjson', 'text/csv; charset=utf-8'] },
  }),
  check: endpoint({
    method: 'GET',
    path: '/api/v1/activity/check',
    summary: 'Whether the activity log is whole',
    description:
      'Returns what the last check found: whether an entry was changed, moved, added or removed without the server. ' +
      'The task `check-activity` checks once a day, and when it is started. The result is kept over a restart.',
    access: OWNER_READERS,
    result: ActivityCheck,
  }),
};

export const SecurityNotice = z
  .strictObject({
    ...ActivityItem.shape,
    seen: z.boolean().meta(about('Whether you have marked it as seen.', false)),
    own: z.boolean().meta(about('Whether it is about your Profile. Owners are notified of others, too.', true)),
  })
  .meta({ id: 'SecurityNotice', description: 'Entry of the activity log that you are notified of.' });
export type SecurityNotice = z.output<typeof SecurityNotice>;

export const MAX_SEEN = 100;
/** Maximum number of notices in one reply. */
export const MAX_NOTICES = 100;

export const security = {
  notices: endpoint({
    method: 'GET',
    path: '/api/v1/me/security',
    summary: 'Notices about the security of your Profile',
    description:
      'Lists what happened to your sign-in methods until you mark it as seen; Owners are also notified of others, ' +
      'of keys and of what expires. What the session that asks did itself is left out. The event `security` says ' +
      'when to ask again.',
    access: SIGNED_IN,
    reach: 'everywhere',
    query: z.strictObject({
      seen: z
        .enum(['true', 'false'])
        .optional()
        .meta({ description: 'true also lists what was marked as seen or done by this session.', examples: ['true'] }),
    }),
    result: z
      .strictObject({
        items: z.array(SecurityNotice).max(MAX_NOTICES).meta(about('The notices, the newest first, at most 100.')),
        unseen: z.int().min(0).meta(about('Number of listed notices that are not seen.', 1)),
      })
      .meta({ id: 'SecurityNotices', description: 'Notices of a Profile.' }),
  }),
  seen: endpoint({
    method: 'PUT',
    path: '/api/v1/me/security',
    summary: 'Mark notices as seen',
    description: 'Marks the notices that were shown. They stay in the activity log. Other ids are ignored.',
    access: SIGNED_IN,
    reach: 'everywhere',
    body: z.strictObject({
      seen: z
        .array(Id)
        .min(1)
        .max(MAX_SEEN)
        .meta({ description: 'Ids of the notices.', examples: [['c81f0a5d93e7b264']] }),
    }),
    result: NOTHING,
  }),
};
