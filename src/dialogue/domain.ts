/** The search in dialogue as a domain. */
import { catalogDomain } from '../catalog/domain.ts';
import { domain } from '../domain.ts';
import { playbackDomain } from '../playback/domain.ts';
import { createDialogue } from './index.ts';
import { dialogueRoutes } from './routes.ts';
import { dialogueSettings } from './settings.ts';

export const dialogueDomain = domain({
  name: 'dialogue',
  uses: [catalogDomain, playbackDomain],
  settings: dialogueSettings,
  open: async ({ bus, config, ffmpeg, log, cache, tasks, helperModule }, { catalog, playback }) => {
    const dialogue = createDialogue({
      catalog,
      unfiltered: catalog.background,
      bus,
      config,
      ffmpeg,
      log,
      cache,
      helperModule,
      isPlaying: playback.background.isPlaying,
      startTask: (name) => tasks.start(name, {}, { evenIfRunning: true }),
    });
    return {
      door: {},
      routes: dialogueRoutes(dialogue),
      tasks: dialogue.tasks,
      startBackground: () => dialogue.start(),
      close: dialogue.close,
    };
  },
});
