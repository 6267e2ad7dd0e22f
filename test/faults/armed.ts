/** The server as tests build it: the program itself, whose crash points `CRASH_AT` arms. */
import './arm.ts';
import '../../src/main.ts';
