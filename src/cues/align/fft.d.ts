/** The part of fft.js that is used: radix-4 transforms of a size that is a power of two. */
declare module 'fft.js' {
  class FFT {
    constructor(size: number);
    /** Interleaved real and imaginary parts, twice the size. */
    createComplexArray(): number[];
    /** The first half of the spectrum; `completeSpectrum` fills the rest. */
    realTransform(out: number[], data: ArrayLike<number>): void;
    completeSpectrum(spectrum: number[]): void;
    inverseTransform(out: number[], data: number[]): void;
  }
  export = FFT;
}
