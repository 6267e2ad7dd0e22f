/**
 * The interface of speech detection: where people speak in a video, and cues aligned to it.
 *
 * It has no tables and no endpoints. Curves are stored in the cache folder and can be deleted at any time.
 */
export { audioTrackFor } from './audio-track.ts';
export type { SpeechSource, ListeningOptions, ListeningState, Speech, SpeechCurve, SpeechNeeds } from './speech.ts';
export { createSpeech } from './speech.ts';
export type { VideoBinding } from './video-binding.ts';
export { bindToVideo } from './video-binding.ts';
