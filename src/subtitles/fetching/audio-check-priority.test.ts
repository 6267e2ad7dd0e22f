/** The audio check of a batch has lower priority than one that a user waits for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../lib/log.ts';
import type { Alignment } from '../../cues/align/types.ts';
import { createAudioCheck, type AudioCheckNeeds } from './audio-check.ts';

test('the audio check of a batch is a background request, and that of a user is not', async () => {
  for (const isBackground of [true, false]) {
    const priorities: unknown[] = [];
    const speech = {
      curve: async (_of: unknown, listening: { isBackground?: boolean }) => (
        priorities.push(listening.isBackground),
        { speech: new Uint8Array(10_000).fill(255), level: new Uint8Array(10_000), duration: 100, detector: 'neural' }
      ),
      align: async (_of: unknown, _cues: unknown, listening: { isBackground?: boolean }) => (
        priorities.push(listening.isBackground),
        { outcome: 'fits', ratio: 1, segments: [], evidence: [], sentence: '' } as unknown as Alignment
      ),
    };
    const file = { id: 'f', info: { duration: 600, streams: [{ index: 0, type: 'audio' }], tags: {} } };
    const ready = { subject: { sidecars: [] }, file, root: {}, about: { item: 'i', language: 'en' } };
    const audioCheck = createAudioCheck(
      { speech, embedded: {}, log: silentLog } as unknown as AudioCheckNeeds,
      ready as unknown as Parameters<typeof createAudioCheck>[1],
      isBackground,
    );
    assert.equal(await audioCheck.hasSpeech(new AbortController().signal), true);
    await audioCheck.verify([], new AbortController().signal);
    assert.deepEqual(priorities, [isBackground, isBackground]);
  }
});
