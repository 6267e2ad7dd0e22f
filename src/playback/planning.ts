/** Plans how an item is played by a caller, and opens the session in which that happens. */
import { type Catalog, tracksOf } from '../catalog/index.ts';
import type { Principal } from '../contract/principal.ts';
import { found } from '../lib/failure.ts';
import { fileOf } from './opening.ts';
import { type Choices, type MakeTicket, makePlan, type Plan } from './plan/make.ts';
import type { Client } from './plan/types.ts';
import type { Sessions } from './session/sessions.ts';
import type { Recipe } from './session/types.ts';

export interface PlanningNeeds {
  catalog: Pick<Catalog, 'seenBy'>;
  sessions: Pick<Sessions, 'begin'>;
  makeTicket: MakeTicket;
  likedAudio?: ((by: Principal) => Promise<readonly string[]> | readonly string[]) | undefined;
  /** What people call the device of a caller. */
  deviceOf(by: Principal): string;
}

export async function planPlayback({ catalog, sessions, makeTicket, likedAudio, deviceOf }: PlanningNeeds, by: Principal, id: string, { can, choices }: { can: Client; choices: Choices }): Promise<Plan> {
  const seen = catalog.seenBy(by);
  const [item, file, subject, liked] = await Promise.all([seen.item(id), fileOf(seen, { id, version: choices.version, part: choices.part }), seen.subject(id), likedAudio?.(by) ?? []]);
  const plan = await makePlan({ item: found(item, 'no such item'), file, tracks: tracksOf(file, subject?.sidecars ?? []), can, choices, liked, by, makeTicket });
  const parts = plan.parts.map(({ part, start, duration }) => ({ version: file.id, part, identity: '', start, duration }));
  const recipe: Recipe = { way: plan.mode, reasons: plan.reasons, parts, videos: [], audios: [], subtitles: [] };
  const session = sessions.begin({ by, item: id, device: deviceOf(by), recipe, position: plan.position }, choices.session, (_, now) => now);
  const urls = { ...plan.urls, ...(plan.urls.media !== undefined && { media: withSession(plan.urls.media, session.id) }) };
  return { ...plan, urls, session: session.id };
}

const withSession = (url: string, session: string): string => `${url}${url.includes('?') ? '&' : '?'}session=${session}`;
