/** Subtitles as a domain. */
import { subtitlesFindings } from '../contract/subtitles/findings.ts';
import { catalogDomain } from '../catalog/domain.ts';
import { domain } from '../domain.ts';
import { speechDomain } from '../speech/domain.ts';
import { createSubtitles, subtitleMigrations } from './index.ts';
import { subtitleRoutes } from './routes.ts';
import { subtitleSettings } from './settings.ts';

export const subtitlesDomain = domain({
  name: 'subtitles',
  uses: [catalogDomain, speechDomain],
  settings: subtitleSettings,
  migrations: subtitleMigrations,
  programs: [
    { setting: 'binaries.tesseract', feature: 'Reading picture subtitles', isNeeded: false },
    { setting: 'binaries.whisper', feature: 'Transcription', isNeeded: false },
  ],
  findings: subtitlesFindings,
  open: async ({ db, bus, clock, log, config, net, processes, ffmpeg, sealer, tasks }, { catalog, speech }) => {
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
