/** Sentences and labels of the page about remote access. */
import type { RemoteAccess } from '../../../../contract/remote/remote-access.ts';
import { ago, moment } from '../../../lib/format.ts';
import { remoteWords as m } from '../../../messages/remote.ts';
import { remoteCheckText } from '../../../messages/server-remote-checks.ts';
import type { SavedSetUp, StepState } from './steps.ts';

export type Tone = 'plain' | 'good' | 'warn' | 'danger' | 'accent';
export type CheckState = RemoteAccess['checks'][number]['state'];

/** Returns the word for a state. What an Owner has cut is cut, also while access is off. */
export const stateWord = ({ state, killedAt }: RemoteAccess): { word: string; tone: Tone } =>
  killedAt !== undefined
    ? { word: m.cut, tone: 'danger' }
    : (
        {
          off: { word: m.off, tone: 'plain' },
          waiting: { word: m.notOpenYet, tone: 'warn' },
          open: { word: m.open, tone: 'good' },
          killed: { word: m.cut, tone: 'danger' },
          failing: { word: m.doesNotWork, tone: 'danger' },
        } as const
      )[state];

/** Says the state in a sentence. */
export function stateSentence(status: RemoteAccess, saved: SavedSetUp): string {
  const { state, seen, terms, killedAt, checks } = status;
  if (killedAt !== undefined) return m.cutSays({ when: moment(killedAt) });
  switch (state) {
    case 'open':
      return seen === undefined ? m.openNotSeen : m.openAndSeen({ when: ago(seen) });
    case 'failing': {
      const failed = checks.find((check) => check.state === 'failed');
      return m.failingSays({ why: failed ? remoteCheckText(failed) : '' }).trim();
    }
    case 'waiting':
      return terms?.accepted === true ? m.waitsForCertificate : m.waitsForTerms;
    default:
      return saved.isOn ? m.offUntilRestart : m.offSays;
  }
}

export const stepWord = (state: StepState): { word: string; tone: Tone } =>
  (
    {
      done: { word: m.done, tone: 'good' },
      next: { word: m.next, tone: 'accent' },
      later: { word: m.later, tone: 'plain' },
      failed: { word: m.failed, tone: 'danger' },
      unknown: { word: m.unknown, tone: 'plain' },
    } as const
  )[state];

export const checkWord = (state: CheckState): { word: string; tone: Tone } =>
  (
    {
      ok: { word: m.ok, tone: 'good' },
      failed: { word: m.failed, tone: 'danger' },
      unknown: { word: m.unknown, tone: 'plain' },
    } as const
  )[state];

export const checkName = (name: RemoteAccess['checks'][number]['name']): string =>
  ({
    terms: m.checkTerms,
    address: m.checkAddress,
    certificate: m.checkCertificate,
    listener: m.checkListener,
    reached: m.checkReached,
    'home-port': m.checkHomePort,
  })[name];

type Certificate = Omit<NonNullable<RemoteAccess['certificate']>, 'names'>;
/** Returns the state of the certificate, its end, and when the next attempt to obtain one is made. */
export const certificateFacts = ({ state, notAfter, retryAt }: Certificate, now: number = Date.now()): string[] => {
  const word = {
    off: m.certificateOff,
    waiting: m.certificateWaiting,
    ordering: m.certificateOrdering,
    issued: m.certificateIssued,
    renewing: m.certificateRenewing,
    failing: m.certificateFailing,
  }[state];
  return [
    word,
    ...(notAfter === undefined
      ? []
      : [
          Date.parse(notAfter) > now ? m.validUntil({ date: moment(notAfter) }) : m.endedOn({ date: moment(notAfter) }),
        ]),
    ...(retryAt === undefined ? [] : [m.nextAttempt({ when: moment(retryAt) })]),
  ];
};
