/** Types of the part of fft.js that is used: radix-4 transforms whose size is a power of two. */
declare module 'fft.js' {
  class FFT {
    constructor(size: number);
    /** Array of interleaved real and imaginary parts, twice the size. */
    createComplexArray(): number[];
    /** Computes the first half of the spectrum; `completeSpectrum` fills in the rest. */
    realTransform(out: number[], data: ArrayLike<number>): void;
    completeSpectrum(spectrum: number[]): void;
    /** Computes the spectrum of interleaved complex values. */
    transform(out: number[], data: ArrayLike<number>): void;
    inverseTransform(out: number[], data: number[]): void;
  }
  export = FFT;
}
