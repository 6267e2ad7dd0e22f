/** English: restarting the server. */
import { counted } from '../plural.ts';

export const restartEnglish = {
  notYetInForce: ({ count }: { count: number }) =>
    `${counted(count, 'change is', 'changes are')} saved and not yet in force`,
  groupAndTitle: ({ group, title }: { group: string; title: string }) => `${group}: ${title}`,
  takesAFewSeconds: 'Restarting takes a few seconds. Films that are playing pause for a moment and go on.',
  restartNow: 'Restart now',
  someoneIsWatching: 'Someone is watching',
  pauseForAMoment: ({ streams }: { streams: string }) => `${streams} will pause for a moment and go on.`,
  streamsCount: ({ count }: { count: number }) => counted(count, 'film or episode', 'films or episodes'),
  restarting: 'The server is restarting',
  continuesByItself: 'This page continues by itself.',
  movesTo: ({ link }: { link: string }) => `The server moves to ${link}. Continue there.`,
  notBackYet: 'The server is not back yet. If it stays away, look at its log on the machine it runs on.',
  hasRestarted: 'The server has restarted',
  couldNotUse: 'The server could not start with what was saved, so it went back to the settings that worked',
  putBack: ({ names }: { names: string }) => `Put back: ${names}.`,
  gotIt: 'OK',
};
