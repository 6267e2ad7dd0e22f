/** Subtitles as a domain. */
import { activityDomain } from '../activity/domain.ts';
import { subtitlesFindings } from '../contract/subtitles/findings.ts';
import { catalogDomain } from '../catalog/domain.ts';
import { domain } from '../domain.ts';
import { speechDomain } from '../speech/domain.ts';
import { createSubtitles, subtitleMigrations } from './index.ts';
import { subtitleRoutes } from './routes.ts';
import { subtitleSettings } from './settings.ts';

export const subtitlesDomain = domain({
  name: 'subtitles',
  uses: [activityDomain, catalogDomain, speechDomain],
  settings: subtitleSettings,
  migrations: subtitleMigrations,
  programs: [
    { setting: 'binaries.tesseract', feature: 'Reading picture subtitles', isNeeded: false },
    { setting: 'binaries.whisper', feature: 'Transcription', isNeeded: false },
  ],
  findings: subtitlesFindings,
  open: async (
    { db, bus, clock, log, config, net, processes, ffmpeg, sealer, tasks },
    { activity, catalog, speech },
  ) => {
    const subtitles = await createSubtitles({
      db,
      bus,
      clock,
      log,
      config,
      catalog: catalog.background,
      speech,
      net,
      processes,
      ffmpeg,
      sealer,
      recorded: activity.recorded,
    });
    catalog.useSidecarFacts({ unreadable: subtitles.delivery.unreadable, subtitled: subtitles.delivery.subtitled });
    return {
      door: subtitles,
      routes: subtitleRoutes(subtitles),
      tasks: [...subtitles.batches.tasks, ...subtitles.workbench.audit.tasks],
      findings: subtitles.drafts.findings,
      startBackground: () =>
        subtitles.start(
          (name) => void tasks.start(name).catch((error: unknown) => log.fault('upkeep.not-started', error)),
        ),
      close: subtitles.close,
    };
  },
});
