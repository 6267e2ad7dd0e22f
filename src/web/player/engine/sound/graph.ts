/**
 * The way of the sound through Web Audio: a delay, and night mode, which brings speech forward and loud passages down.
 * Works on files and streams alike. An element is tapped once and for good, so this is done only when one of the two
 * is first wanted; without them the sound takes its usual way.
 */

/** Maximum by which audio plays later or earlier. */
export const MAX_DELAY_S = 5;
export interface SoundGraph {
  /** Seconds, 0 to MAX_DELAY_S. */
  setDelay: (seconds: number) => void;
  setNight: (isOn: boolean) => void;
  /** After a gesture, where the browser wants one first. */
  resume: () => void;
  close: () => void;
}
type Context = Pick<
  AudioContext,
  | 'createMediaElementSource'
  | 'createDelay'
  | 'createBiquadFilter'
  | 'createDynamicsCompressor'
  | 'createGain'
  | 'destination'
  | 'currentTime'
  | 'resume'
  | 'close'
>;

/** Speech is strongest here; a wide lift of 5 dB is heard as nearer, not as another voice. */
const DIALOGUE = { frequency: 2_200, width: 0.8, gain: 5 };
/** Rumble says nothing at night, and the neighbours hear it first. */
const RUMBLE = { frequency: 120, gain: -8 };
/** Everything over -38 dB is brought together at 6 to 1, and the whole then raised again. */
const COMPRESSION = { threshold: -38, knee: 18, ratio: 6, attack: 0.004, release: 0.3 };
const MAKEUP = 1.7;
/** Long enough that no click is heard when something changes. */
const GLIDE_S = 0.03;

const tapped = new WeakMap<HTMLMediaElement, SoundGraph>();

/** The graph of an element; made at the first call. Undefined where there is no Web Audio. */
export function soundOf(video: HTMLMediaElement): SoundGraph | undefined {
  const before = tapped.get(video);
  if (before) return before;
  if (typeof AudioContext !== 'function') return undefined;
  const context = new AudioContext({ latencyHint: 'playback' });
  const graph = createGraph(context, video);
  tapped.set(video, graph);
  return graph;
}

/** Ends the graph of an element that has one. */
export const endSound = (video: HTMLMediaElement): void => tapped.get(video)?.close();

export function createGraph(context: Context, video: HTMLMediaElement): SoundGraph {
  const { destination } = context;
  // Keeps all channels: by default the browser would mix six down to two.
  destination.channelCount = Math.max(1, Math.min(8, destination.maxChannelCount));
  const source = context.createMediaElementSource(video);
  const delay = context.createDelay(MAX_DELAY_S);
  const rumble = context.createBiquadFilter();
  rumble.type = 'lowshelf';
  rumble.frequency.value = RUMBLE.frequency;
  rumble.gain.value = RUMBLE.gain;
  const dialogue = context.createBiquadFilter();
  dialogue.type = 'peaking';
  dialogue.frequency.value = DIALOGUE.frequency;
  dialogue.Q.value = DIALOGUE.width;
  dialogue.gain.value = DIALOGUE.gain;
  const compressor = context.createDynamicsCompressor();
  for (const [name, value] of Object.entries(COMPRESSION)) compressor[name as keyof typeof COMPRESSION].value = value;
  const [straight, night] = [context.createGain(), context.createGain()];
  source.connect(delay);
  delay.connect(straight).connect(destination);
  delay.connect(rumble).connect(dialogue).connect(compressor).connect(night).connect(destination);
  night.gain.value = 0;
  const glide = (param: AudioParam, value: number) => param.setTargetAtTime(value, context.currentTime, GLIDE_S);
  return {
    setDelay: (seconds) => glide(delay.delayTime, Math.max(0, Math.min(MAX_DELAY_S, seconds))),
    setNight: (isOn) => {
      glide(straight.gain, isOn ? 0 : 1);
      glide(night.gain, isOn ? MAKEUP : 0);
    },
    resume: () => void context.resume().catch(() => undefined),
    close: () => {
      tapped.delete(video);
      void context.close().catch(() => undefined);
    },
  };
}
