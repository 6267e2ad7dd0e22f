/**
 * Plays decoded sounds one behind the other, without a sample between them. Everything is scheduled ahead on frames of
 * the audio clock, so no timer decides when a sound begins. Measured in Chromium 156: a pair of files cut from one
 * tone joins without a wrong sample (FLAC, WAV) or within what the codec loses (MP3, Opus, Vorbis).
 */
import { endFrame, frameTime, placedAt, type SoundSpan } from './frames.ts';
import type { Deck, DeckEvents } from './deck.ts';
import { piece } from './piece.ts';

export interface Sound {
  key: number;
  buffer: AudioBuffer;
  /** Factor for the samples, for levelling. */
  factor: number;
}
interface Scheduled extends SoundSpan {
  sound: Sound;
  gain: GainNode;
  nodes: AudioBufferSourceNode[];
  /** Frames of the sound that are scheduled; the rest follows with `complete`. */
  known: number;
}
/** Time between scheduling and the first sample: the audio thread has to know in time. */
const LEAD_S = 0.06;
/** The last samples of an incomplete buffer differ from those of the whole. */
const UNSAFE_FRAMES = 4096;
const GLIDE_S = 0.02;

export interface GaplessDeck extends Deck {
  readonly context: AudioContext;
  /** Stops what plays and begins this sound. `isBeginning`: the rest comes with `complete`. */
  begin: (sound: Sound, at: number, isBeginning?: boolean) => void;
  /** Replaces the beginning of a sound by the whole, without a change that can be heard. */
  complete: (sound: Sound) => void;
  /** Schedules a sound behind the last one, in place of any that was scheduled there. */
  setNext: (sound: Sound | undefined) => void;
  nextKey: () => number | undefined;
}

/** Sounds that are scheduled on a context. `heard` is the key of the sound that plays as far as the listener knows. */
interface Line {
  context: AudioContext;
  rate: number;
  master: GainNode;
  on: DeckEvents;
  list: Scheduled[];
  heard: number | undefined;
  /** A seek beyond the beginning of a sound whose rest is not here yet, in seconds. */
  wanted: number | undefined;
}
const frameNow = ({ context, rate }: Line): number => Math.round(context.currentTime * rate);
const soon = (line: Line): number => frameNow(line) + Math.ceil(LEAD_S * line.rate);
const currentOf = (line: Line): Scheduled | undefined =>
  line.list.find(({ key }) => key === line.heard) ?? placedAt(line.list, frameNow(line));
const followersOf = ({ list }: Line, one: Scheduled): Scheduled[] => list.slice(list.indexOf(one) + 1);
const isWhole = ({ known, frames }: Scheduled): boolean => known === frames;

/** Schedules the frames of a sound from `from` up to those that are known. */
function start(line: Line, one: Scheduled, from: number): void {
  const { context, rate } = line;
  const { buffer } = one.sound;
  const to = one.known;
  if (to <= from) return;
  const node = context.createBufferSource();
  // From a whole second the browser counts exactly; from elsewhere it may be one sample off, so it is copied.
  const isExact = from % rate === 0 && to === buffer.length;
  node.buffer = isExact ? buffer : piece(context, buffer, from, to);
  node.connect(one.gain);
  node.onended = () => ended(line, one, to);
  node.start(frameTime(one.start + from, rate), isExact ? from / rate : 0);
  one.nodes.push(node);
}

function place(line: Line, sound: Sound, at: number): Scheduled {
  const gain = line.context.createGain();
  gain.gain.value = sound.factor;
  gain.connect(line.master);
  const { length } = sound.buffer;
  const one = { key: sound.key, start: at, frames: length, sound, gain, nodes: [], known: length };
  line.list.push(one);
  return one;
}

function drop(line: Line, one: Scheduled): void {
  for (const node of one.nodes) {
    node.onended = null;
    node.stop();
    node.disconnect();
  }
  one.gain.disconnect();
  line.list = line.list.filter((other) => other !== one);
}

function ended(line: Line, one: Scheduled, to: number): void {
  if (!line.list.includes(one) || to < one.known) return;
  // The beginning has run out, and its rest is not here yet.
  if (!isWhole(one)) return line.on.waiting();
  const [next] = followersOf(line, one);
  // The last one stays, so that a seek can begin it again.
  if (!next) return line.on.ended();
  drop(line, one);
  line.heard = next.key;
  return line.on.moved(next.key);
}

/** Schedules a sound behind the last one; behind one that has ended, now. */
function append(line: Line, sound: Sound): void {
  const last = line.list[line.list.length - 1];
  if (last) start(line, place(line, sound, Math.max(endFrame(last), soon(line))), 0);
}

/** Schedules a sound from one of its frames on, in place of everything that is scheduled. */
function beginAt(line: Line, sound: Sound, { from, isBeginning }: { from: number; isBeginning: boolean }): void {
  for (const one of [...line.list]) drop(line, one);
  const { length } = sound.buffer;
  const known = isBeginning ? Math.max(0, Math.floor((length - UNSAFE_FRAMES) / line.rate) * line.rate) : length;
  const first = Math.min(Math.max(0, Math.round(from)), Math.max(0, known - 1));
  line.wanted = isBeginning && from > known ? from / line.rate : undefined;
  line.heard = sound.key;
  const one = place(line, sound, soon(line) - first);
  Object.assign(one, { known, ...(isBeginning && { frames: Number.MAX_SAFE_INTEGER }) });
  if (line.wanted === undefined) start(line, one, first);
  else line.on.waiting();
}

function complete(line: Line, sound: Sound): void {
  const one = line.list.find(({ key }) => key === sound.key);
  if (!one || isWhole(one)) return;
  if (line.wanted !== undefined) {
    beginAt(line, sound, { from: line.wanted * line.rate, isBeginning: false });
    return line.on.playing();
  }
  const from = one.known;
  // The beginning has run out: the rest begins now.
  const late = soon(line) - (one.start + from);
  if (late > 0) one.start += late;
  Object.assign(one, { sound, frames: sound.buffer.length, known: sound.buffer.length });
  start(line, one, from);
  if (late > 0) line.on.playing();
}

function seek(line: Line, seconds: number): void {
  const one = currentOf(line);
  if (!one) return;
  const next = followersOf(line, one)[0]?.sound;
  const wasWhole = isWhole(one);
  beginAt(line, one.sound, { from: seconds * line.rate, isBeginning: !wasWhole });
  if (next && wasWhole) append(line, next);
}

export function createGaplessDeck(context: AudioContext, on: DeckEvents): GaplessDeck {
  const master = context.createGain();
  master.connect(context.destination);
  const line: Line = { context, rate: context.sampleRate, master, on, list: [], heard: undefined, wanted: undefined };
  return {
    context,
    begin: (sound, at, isBeginning = false) => beginAt(line, sound, { from: at * line.rate, isBeginning }),
    complete: (sound) => complete(line, sound),
    setNext: (sound) => {
      const one = currentOf(line);
      if (!one) return;
      for (const other of followersOf(line, one)) drop(line, other);
      if (sound && isWhole(one)) append(line, sound);
    },
    nextKey: () => {
      const one = currentOf(line);
      return one && followersOf(line, one)[0]?.key;
    },
    play: () => void context.resume().then(on.playing, () => undefined),
    pause: () => void context.suspend().catch(() => undefined),
    time: () => {
      const one = currentOf(line);
      if (!one) return 0;
      return line.wanted ?? Math.min(Math.max(0, frameNow(line) - one.start), one.known) / line.rate;
    },
    duration: () => {
      const one = currentOf(line);
      return one && isWhole(one) ? one.frames / line.rate : 0;
    },
    seek: (seconds) => seek(line, seconds),
    setVolume: (factor) => master.gain.setTargetAtTime(factor, context.currentTime, GLIDE_S),
    setSpeed: () => undefined,
    close: () => {
      for (const one of [...line.list]) drop(line, one);
      void context.close().catch(() => undefined);
    },
  };
}
