/** German: restarting the server. */
import type { Translation } from '../catalogue.ts';
import type { restartEnglish } from '../en/restart.ts';
import { counted } from '../plural.ts';

export const restartGerman: Translation<typeof restartEnglish> = {
  notYetInForce: ({ count }) => `${counted(count, 'Änderung', 'Änderungen')} gespeichert, aber noch nicht wirksam`,
  groupAndTitle: ({ group, title }) => `${group}: ${title}`,
  takesAFewSeconds: 'Der Neustart dauert wenige Sekunden. Laufende Filme halten kurz an und spielen dann weiter.',
  restartNow: 'Jetzt neu starten',
  someoneIsWatching: 'Es wird gerade etwas abgespielt',
  pauseForAMoment: ({ streams }) => `${streams}: kurze Pause, dann geht es weiter.`,
  streamsCount: ({ count }) => counted(count, 'Film oder Folge', 'Filme oder Folgen'),
  restarting: 'Der Server startet neu',
  continuesByItself: 'Diese Seite verbindet sich automatisch wieder.',
  movesTo: ({ link }) => `Der Server zieht um nach ${link}. Dort geht es weiter.`,
  notBackYet:
    'Der Server ist noch nicht zurück. Kommt er nicht wieder, sieh auf dem Rechner, auf dem er läuft, in seinem Protokoll nach.',
  hasRestarted: 'Der Server ist neu gestartet',
  couldNotUse:
    'Der Server konnte mit den gespeicherten Werten nicht starten und läuft wieder mit denen, die funktioniert haben',
  putBack: ({ names }) => `Zurückgesetzt: ${names}.`,
  gotIt: 'OK',
};
