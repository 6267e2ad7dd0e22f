/** English: restarting the server. */
import { counted } from '../plural.ts';

export const restartEnglish = {
  notYetInForce: ({ count }: { count: number }) =>
    `${counted(count, 'change is', 'changes are')} saved but not yet in effect`,
  groupAndTitle: ({ group, title }: { group: string; title: string }) => `${group}: ${title}`,
  takesAFewSeconds: 'Restarting takes a few seconds. Films that are playing pause for a moment and then continue.',
  restartNow: 'Restart now',
  someoneIsWatching: 'Someone is watching',
  pauseForAMoment: ({ streams }: { streams: string }) => `${streams} will pause for a moment and then continue.`,
  streamsCount: ({ count }: { count: number }) => counted(count, 'film or episode', 'films or episodes'),
  restarting: 'The server is restarting',
  continuesByItself: 'This page reconnects automatically.',
  movesTo: ({ link }: { link: string }) => `The server is moving to ${link}. Continue there.`,
  notBackYet: 'The server is not back yet. If it does not come back, check its log on the machine that it runs on.',
  hasRestarted: 'The server has restarted',
  couldNotUse: 'The server could not start with the saved settings, so it went back to the ones that worked',
  putBack: ({ names }: { names: string }) => `Reverted: ${names}.`,
  gotIt: 'OK',
};
