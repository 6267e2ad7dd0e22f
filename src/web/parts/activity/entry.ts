/** An entry of the activity log in words: its sentence, and the facts below it. */
import type { ActivityItem } from '../../../contract/activity/activity.ts';
import type { ActivityKind } from '../../../contract/activity/kinds.ts';
import { activityWords as m } from '../../messages/activity.ts';
import { count, day, facts, formatDuration, languageLabel, moment } from '../../lib/format.ts';
import { shellWords } from '../../messages/shell.ts';
import { taskTexts } from '../../messages/server-tasks.ts';

const DOERS = { console: () => m.theConsole, directory: () => m.theDirectory, server: () => m.theServer } as const;

/** Returns who did it. */
function whoOf({ actor, via }: ActivityItem): string {
  if (actor) return actor.name ?? m.removedProfile;
  return via !== undefined && via in DOERS ? DOERS[via as keyof typeof DOERS]() : m.someone;
}

function has<T extends object>(table: T, name: PropertyKey): name is keyof T {
  return Object.hasOwn(table, name);
}

/** Returns the word in the details of an entry, in the language that is spoken. */
function wordOf({ kind, details }: ActivityItem): string {
  const text = (name: string): string => String(details[name] ?? '');
  if (kind === 'profile-created' || kind === 'role-changed') return details['role'] === 'owner' ? m.owner : m.viewer;
  if (kind === 'expiring') return details['until'] === undefined ? '' : day(text('until'));
  if (kind === 'playback-ended') return formatDuration(Number(details['seconds'] ?? 0));
  if (kind === 'task-failed') return taskTexts[text('task')]?.title ?? text('task');
  if (kind.startsWith('library-')) {
    const library = text('kind');
    return has(shellWords.libraryKinds, library) ? shellWords.libraryKinds[library] : library;
  }
  if (kind.startsWith('subtitle-')) return languageLabel(text('language'));
  return text('key');
}

/** Returns what happened. */
export function entrySentence(item: ActivityItem): string {
  const { kind, actor, profile, target, outcome, details } = item;
  if (!has(m.sentences, kind)) return m.unknownKind({ kind });
  return m.sentences[kind as ActivityKind]({
    who: whoOf(item),
    whom: profile ? (profile.name ?? m.removedProfile) : m.unknownName,
    isOwn: actor !== undefined && actor.id === profile?.id,
    what: target?.name ?? '',
    isRefused: outcome === 'refused',
    count: Number(details['count'] ?? 0),
    word: wordOf(item),
  });
}

const VIAS = { household: () => m.viaHousehold, key: () => m.viaKey, link: () => m.viaLink } as const;

/** Returns when, how and from where. */
export function entryFacts({ at, count: attempts, details, via, reach, network }: ActivityItem): string[] {
  const way = details['way'];
  return facts(
    moment(at),
    attempts > 1 && `${count(attempts)}×`,
    typeof way === 'string' && has(m.ways, way) && m.ways[way],
    via !== undefined && has(VIAS, via) && VIAS[via](),
    reach && (reach === 'public' ? m.fromOutside : m.atHome),
    network,
  );
}
