/**
 * Playback as a domain: playing, what makes it pleasant (markers, preview pictures), and the hardware that converts.
 */
import { activityDomain } from '../activity/domain.ts';
import { playbackFindings } from '../contract/playback/findings.ts';
import { catalogDomain } from '../catalog/domain.ts';
import { domain } from '../domain.ts';
import { identityDomain } from '../identity/domain.ts';
import type { Identity } from '../identity/index.ts';
import { shownTask } from '../lib/tasks/index.ts';
import { subtitlesDomain } from '../subtitles/domain.ts';
import { createExtras, createHardware, createPlayback, playbackMigrations, type ProfileNames } from './index.ts';
import { hardwareRoutes, markerRoutes, playbackRoutes, trickplayRoutes } from './routes.ts';
import { playbackSettings } from './settings.ts';

export const playbackDomain = domain({
  name: 'playback',
  uses: [activityDomain, identityDomain, catalogDomain, subtitlesDomain],
  settings: playbackSettings,
  migrations: playbackMigrations,
  programs: [{ setting: 'binaries.fpcalc', feature: 'Finding intros and credits', isNeeded: false }],
  findings: playbackFindings,
  open: async (foundation, { activity, identity, catalog, subtitles }) => {
    const { db, bus, clock, log, config, processes, ffmpeg, encoders, cache, tasks, review, room } = foundation;
    const extras = createExtras({
      db,
      bus,
      catalog,
      unfiltered: catalog.background,
      ffmpeg,
      processes,
      clock,
      log,
      cache,
      fpcalc: config.get('binaries.fpcalc'),
      background: () => playback.background,
      startTask: async (name, input, askedBy) =>
        shownTask(await tasks.start(name, input, askedBy === undefined ? {} : { askedBy })),
      isQueued: async (name) => (await tasks.list()).some((task) => task.name === name && task.state === 'queued'),
    });
    const hardware = createHardware({
      processes,
      program: config.get('binaries.ffmpeg'),
      ffmpeg,
      config,
      log,
      clock,
      cache,
      ...foundation.hardware,
    });
    const playback = await createPlayback({
      db,
      bus,
      activity,
      clock,
      config,
      catalog,
      markers: extras.markers,
      hardware,
      processes,
      encoders,
      ffmpeg,
      cache,
      log,
      makeTicket: identity.makeTicket,
      measure: room,
      ...subtitles.delivery,
      people: peopleOf(identity),
      reviewReplies: review.replies,
      likedAudio: (by) => identity.operations.me.read(by).preferences.audio,
    });
    review.on(playback.playing.review);
    subtitles.workbench.audit.yieldTo(playback.background.isPlaying);
    catalog.usePlayback({
      reported: playback.playing.reported,
      creditsOf: extras.markers.creditsOf,
      markersOf: extras.markers.published,
      expect: playback.playing.expect,
    });
    return {
      door: playback,
      routes: [
        ...playbackRoutes(playback),
        ...markerRoutes(extras),
        ...hardwareRoutes(hardware),
        ...trickplayRoutes(extras),
      ],
      tasks: extras.tasks,
      findings: () => [...playback.findings(), ...extras.findings(), ...hardware.findings()],
      start: playback.start,
      startBackground: () => extras.start(),
      startLate: hardware.start,
      forgetProfile: playback.forgetProfile,
      close: async () => {
        await playback.close();
        hardware.close();
        await extras.close();
      },
    };
  },
});

/**
 * Answers playback's questions about Profiles and devices. A stream may continue only for a caller who may still
 * stream.
 */
const peopleOf = ({ profiles, current, operations }: Identity): ProfileNames => ({
  profileName: (id) => profiles().find((one) => one.id === id)?.name,
  deviceOf: (by) =>
    by.via === 'session' || by.household ? (operations.sessions.read(by).device ?? 'Unnamed device') : 'API key',
  deviceIdOf: operations.sessions.deviceIdOf,
  timeOf: operations.viewing.timeOf,
  watched: operations.viewing.watched,
  current: (by) => current(by, { role: 'viewer', via: 'stream', link: 'media' }),
});
