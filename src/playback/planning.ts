/** Plans how an item is played by a caller, and opens the session in which that happens. */
import { availableParallelism } from 'node:os';
import type { Catalog } from '../catalog/index.ts';
import type { Config } from '../config/index.ts';
import type { Principal } from '../contract/principal.ts';
import { found } from '../lib/failure.ts';
import type { Markers } from './markers/index.ts';
import { type PlannedItem, planItem } from './plan/item.ts';
import { cautiousMachine, planSettings } from './plan/machine.ts';
import { type Choices, type MakeTicket, type Plan, replyOf } from './plan/make.ts';
import type { Client } from './plan/types.ts';
import type { Sessions } from './session/sessions.ts';
import type { Recipe } from './session/types.ts';

export interface PlanningNeeds {
  catalog: Pick<Catalog, 'seenBy'>;
  config: Pick<Config, 'get'>;
  markers: Pick<Markers, 'of'>;
  sessions: Pick<Sessions, 'begin'>;
  makeTicket: MakeTicket;
  likedAudio?: ((by: Principal) => Promise<readonly string[]> | readonly string[]) | undefined;
  /** What people call the device of a caller. */
  deviceOf(by: Principal): string;
}

/** What a plan is asked for. */
export interface PlanQuestion {
  id: string;
  client: Client;
  choices: Choices;
  /** Whether the caller is away from home. */
  isRemote: boolean;
}

export async function planPlayback({ catalog, config, markers, sessions, makeTicket, likedAudio, deviceOf }: PlanningNeeds, by: Principal, { id, client, choices, isRemote }: PlanQuestion): Promise<Plan> {
  const seen = catalog.seenBy(by);
  const [one, all, liked] = await Promise.all([seen.item(id), seen.subject(id), likedAudio?.(by) ?? []]);
  const item = found(one, 'no such item');
  const subject = found(all, 'no such item');
  const planned = planItem({
    files: subject.files, sidecars: subject.sidecars, choices, client, liked,
    settings: planSettings(config), policy: { transcode: by.policy.transcode, isRemote }, machine: cautiousMachine(availableParallelism()),
  });
  const subtitles = config.get('playback.subtitles');
  const player = { autoSkip: config.get('playback.auto_skip') ?? [], autoplay: config.get('playback.autoplay') ?? true, showSubtitles: subtitles === undefined ? undefined : subtitles === 'on' };
  const plan = await replyOf({ item, planned, choices, client, markers: await markers.of(subject, planned.version, by), player, by, makeTicket });
  const session = sessions.begin({ by, item: id, device: deviceOf(by), recipe: recipeOf(planned), position: plan.position }, choices.session, (_, now) => now);
  const urls = { ...plan.urls, ...(plan.urls.media !== undefined && { media: withSession(plan.urls.media, session.id) }) };
  return { ...plan, urls, session: session.id };
}

const recipeOf = ({ way = 'direct', reasons, version, parts }: PlannedItem): Recipe => ({
  way, reasons, parts: parts.map(({ file, start, duration }) => ({ version, part: file.part, identity: '', start, duration })), videos: [], audios: [], subtitles: [],
});

const withSession = (url: string, session: string): string => `${url}${url.includes('?') ? '&' : '?'}session=${session}`;
