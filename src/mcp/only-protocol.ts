import { Console } from "node:console";

/** Stdout for the protocol alone. */
export interface ProtocolOutput {
  /** Writes to the real stdout; false = it is full, and `process.stdout` will drain. */
  write(text: string): boolean;
  /** Gives stdout back to everybody. */
  restore(): void;
}

/**
 * Keeps stdout for the protocol: whatever else of this process prints there, by `console` or by `process.stdout`, goes to
 * stderr from now on, since one foreign byte ends a session.
 */
export function onlyProtocolOnStdout(): ProtocolOutput {
  const { stdout, stderr } = process;
  const own = stdout.write;
  const known = globalThis.console;
  globalThis.console = new Console({ stdout: stderr, stderr });
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  return {
    write: (text) => own.call(stdout, text),
    restore() {
      globalThis.console = known;
      stdout.write = own;
    },
  };
}
