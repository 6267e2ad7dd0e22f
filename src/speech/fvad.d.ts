/** The part of the light detector's package that is used. */
declare module '@echogarden/fvad-wasm' {
  interface Fvad {
    HEAP16: Int16Array;
    _malloc(bytes: number): number;
    _fvad_new(): number;
    /** Both give 0, or -1 for what it does not know. */
    _fvad_set_mode(handle: number, mode: number): number;
    _fvad_set_sample_rate(handle: number, rate: number): number;
    /** 1 for speech, 0 for none, -1 for a frame of a wrong length. */
    _fvad_process(handle: number, samples: number, length: number): number;
  }
  const load: () => Promise<Fvad>;
  export { load as default };
}
