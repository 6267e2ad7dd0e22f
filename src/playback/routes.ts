/** The byte routes and the plan, each tied to the operation that does it. */
import { media } from '../contract/playback/media.ts';
import { hardware as hardwareEndpoints } from '../contract/playback/hardware.ts';
import { hls } from '../contract/playback/hls.ts';
import {
  markerAnalysis as analysisEndpoints,
  markers as markerEndpoints,
  markerSuggestions,
} from '../contract/playback/markers.ts';
import { playback as planning } from '../contract/playback/plan.ts';
import { playbackSessions } from '../contract/playback/sessions.ts';
import { trickplay as trickplayEndpoints } from '../contract/playback/trickplay.ts';
import { sortedPage } from '../lib/json/page.ts';
import { Failure } from '../lib/failure.ts';
import { type Body, type Call, implement, type MountedEndpoint, type RangedFile } from '../http/handle.ts';
import {
  type Extras,
  type PlaybackHardware,
  type OpenMedia,
  type Playback,
  readCapabilities,
  validatorsOf,
} from './index.ts';

/** A browser may cache it but must revalidate it; shared caches may not store it. */
const OWN = 'private, no-cache';

export const playbackRoutes = (playback: Playback): MountedEndpoint[] => [
  ...implement(media, {
    play: async ({ id, version, part, session }, call) => {
      if (session !== undefined) {
        call.onlyWhile((by) => playback.delivery.mayContinue(by, id, session));
      }
      playback.enter(call.by, id, session);
      call.onlyWhile((by) => playback.isAllowed(by, id, 'play'));
      const media = await playback.media(call.by, { id, version, part }, call.firstByte);
      const file = opened(media, call);
      if (session === undefined) return file;
      // A player may have the whole film by one request.
      const read: RangedFile['read'] = async (into, position) => {
        const bytes = { part: part ?? 1, position, length: into.length, size: file.size, duration: media.duration };
        await playback.delivery.streamed(session, bytes, call.signal);
        return file.read(into, position);
      };
      return { ...file, read };
    },
    download: async ({ id, version, part }, call) => {
      call.onlyWhile((by) => playback.isAllowed(by, id, 'download'));
      return opened(await playback.download(call.by, { id, version, part }), call);
    },
    subtitle: async ({ id, version, part, language, track, format }, call): Promise<Body | RangedFile> => {
      call.onlyWhile((by) => playback.isAllowed(by, id, 'play'));
      const reply = await playback.subtitles.track(
        call.by,
        { id, version, part, language, track, format },
        call.signal,
      );
      if (reply.is === 'file') return opened(reply, call);
      if (reply.is === 'whole') return { type: reply.type, bytes: reply.bytes, etag: reply.etag, cache: OWN };
      // It has no validator while it is not whole.
      return { type: reply.type, bytes: reply.bytes, cache: 'no-store' };
    },
    font: async ({ id, number, version, part }, call) => {
      call.onlyWhile((by) => playback.isAllowed(by, id, 'play'));
      return opened(await playback.subtitles.font(call.by, { id, number, version, part }, call.signal), call);
    },
  }),
  ...implement(hls, {
    file: async (ask, call) => {
      call.onlyWhile((by) => playback.delivery.mayContinue(by, ask.id, ask.session));
      // Neither playlists with a ticket nor segments that a policy may take away stay in a browser.
      return { ...(await playback.delivery.file(call.by, ask, call.signal)), cache: 'private, no-store' };
    },
  }),
  ...implement(playbackSessions, {
    list: async (paging, { by }) =>
      sortedPage(await playback.playing.list(by), {
        query: ['playback sessions'],
        keyOf: ({ since, id }) => [-Date.parse(since), id],
        ...paging,
      }),
    read: ({ id }, { by }) => playback.playing.read(by, id),
    stop: ({ id }, { by }) => playback.playing.stop(by, id),
  }),
  ...implement(planning, {
    plan: ({ id, version, part, audio, subtitle, start, quality, session, ...can }, { by, from, signal }) =>
      playback.plan(
        by,
        {
          id,
          client: readCapabilities(can),
          choices: { version, part, audio, subtitle, start, quality, session },
          isRemote: from.network === 'public',
        },
        signal,
      ),
  }),
];

/** Markers, and what finds them. */
export const markerRoutes = ({
  markers,
  analysis,
  suggestions,
}: Pick<Extras, 'markers' | 'analysis' | 'suggestions'>): MountedEndpoint[] => [
  ...implement(markerEndpoints, {
    markers: async ({ id }, { by }) => ({ markers: await markers.list(by, id) }),
    setMarker: async ({ id, ...change }, { by }) => ({ markers: await markers.set(by, id, change) }),
    removeMarkers: ({ id, kind }, { by }) => markers.remove(by, id, kind),
  }),
  ...implement(analysisEndpoints, {
    read: () => analysis.status(),
    start: (wanted, { by }) => analysis.begin(by, wanted),
  }),
  ...implement(markerSuggestions, {
    list: (page, { by }) => suggestions.list(by, page),
    decide: async ({ decision, suggestions: keys }, { by }) => ({
      decided: await suggestions.decide(by, decision, keys),
    }),
  }),
];

/** Endpoints that report and test the hardware accelerators. */
export const hardwareRoutes = (hardware: PlaybackHardware): MountedEndpoint[] =>
  implement(hardwareEndpoints, {
    read: () => hardware.view(),
    test: async ({ accelerator }, { signal }) => {
      const { isPassed, view } = await hardware.test(accelerator, signal);
      if (!isPassed)
        throw new Failure(
          'unavailable',
          accelerator === undefined
            ? 'no accelerator that the settings allow passed its test'
            : `${accelerator} did not pass its test`,
          { reason: 'test-failed', accelerators: view.accelerators },
        );
      return view;
    },
  });

const RETRY_S = 2;

export const trickplayRoutes = ({ trickplay }: Pick<Extras, 'trickplay'>): MountedEndpoint[] =>
  implement(trickplayEndpoints, {
    read: async ({ id, version, part, ticket, file }, call): Promise<Body> => {
      const links = Object.entries({ version, part, ticket }).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      );
      const query = links.length === 0 ? '' : `?${new URLSearchParams(links).toString()}`;
      const number = Number(/\d+/.exec(file)?.[0] ?? 0);
      const reply = await trickplay.read(
        call.by,
        { id, version, part },
        file === 'index.vtt' ? { is: 'index' } : { is: file.startsWith('chapter') ? 'chapter' : 'sheet', number },
        query,
      );
      if (reply.is === 'ready') return { type: reply.type, bytes: reply.bytes, etag: reply.etag, cache: OWN };
      call.succeedAs(202);
      call.header('retry-after', String(RETRY_S));
      return {
        type: 'application/json',
        bytes: Buffer.from(JSON.stringify({ state: 'making', progress: reply.progress })),
        cache: 'no-store',
      };
    },
  });

function opened(of: OpenMedia, call: Call): RangedFile {
  call.header('cache-control', OWN);
  const { file, type, filename } = of;
  return {
    type,
    size: file.size,
    ...validatorsOf(of),
    ...(filename !== undefined && { filename }),
    read: file.read,
    close: file.close,
  };
}
