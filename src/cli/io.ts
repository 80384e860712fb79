/** One output stream of a run. */
export interface Sink {
  write(text: string): void;
  /** The same for a long text that comes in pieces; absent = it is put together first. */
  writePieces?(pieces: Iterable<string>): void;
  readonly isTTY: boolean;
  /** Terminal width in columns; null when it is no terminal or doesn't say. */
  readonly columns: number | null;
}

/** Everything the shell touches of its process, handed in so that a run can be captured. */
export interface Io {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths count from; null = the process's own. */
  readonly cwd: string | null;
  /** What is piped into a captured run; absent = the process's own stdin where `cwd` is null, else nothing. */
  readonly input?: string;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  /**
   * For runs that go on until they are stopped: calls back at Ctrl-C or a polite kill ("interrupt") and when nobody
   * reads stdout any more ("closed"). Returns what takes the callback back. Absent = nothing stops this run.
   */
  onStop?(stop: (reason: "interrupt" | "closed") => void): () => void;
}

/**
 * The running process. A reader that closes the pipe early (`| head -1`) ends the output silently; output that is lost
 * otherwise (a full disk) is said and makes the exit code 1.
 */
export function processIo(): Io {
  process.stdout.on("error", outputLost);
  return {
    stdout: streamSink(process.stdout),
    stderr: streamSink(process.stderr),
    env: process.env,
    cwd: null,
    interactive: process.stdin.isTTY === true && process.stdout.isTTY === true,
    onStop: onProcessStop,
  };
}

/** Nobody reads any more, or there never was an output. */
const noReader: ReadonlySet<string | undefined> = new Set([
  "EPIPE",
  "EBADF",
  "ECONNRESET",
  "ERR_STREAM_DESTROYED",
]);

function outputLost({ code }: NodeJS.ErrnoException): void {
  // A terminal whose window was closed answers EIO; on a disk that is a fault.
  if (noReader.has(code) || (code === "EIO" && process.stdout.isTTY === true)) return;
  process.exitCode = 1;
  process.stderr.write(`skillet: The output could not be written (${code}).\n`);
}

function onProcessStop(stop: (reason: "interrupt" | "closed") => void): () => void {
  const interrupt = (): void => stop("interrupt");
  const closed = (): void => stop("closed");
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  process.stdout.on("error", closed).on("close", closed);
  return () => {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    process.stdout.off("error", closed).off("close", closed);
  };
}

/** Bytes that are collected before they are written. */
const collected = 256 * 1024;

function streamSink(stream: NodeJS.WriteStream): Sink {
  let open = true;
  stream.on("error", () => {
    open = false;
  });
  const write = (text: string | Uint8Array): void => {
    if (open && text.length > 0) stream.write(text);
  };
  return {
    write,
    writePieces(pieces) {
      let buffer = Buffer.allocUnsafe(collected);
      let used = 0;
      const flush = (): void => {
        write(buffer.subarray(0, used));
        used = 0;
        // What the stream could not hand on yet is still in the buffer; else it is used again, which saves new memory.
        if (stream.writableLength > 0) buffer = Buffer.allocUnsafe(collected);
      };
      for (const piece of pieces) {
        // A unit of UTF-16 takes three bytes at most.
        const most = piece.length * 3;
        if (used + most > collected) flush();
        if (most > collected) write(piece);
        else used += buffer.write(piece, used);
      }
      flush();
    },
    isTTY: stream.isTTY === true,
    columns: stream.isTTY === true && stream.columns > 0 ? stream.columns : null,
  };
}
