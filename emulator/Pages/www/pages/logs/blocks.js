// Blocks of log lines that belong together: the lines of a stack trace.

/** The maximum time between two lines of a block, in milliseconds. */
const pause = 1_000;
/** The maximum number of lines of a block, so that the newest line stays near the top of the list. */
const maximumLines = 200;

/** Returns whether a line is plain text: a line in JSON has a severity or details. */
const isPlain = ({ severity, details }) => severity === "DEFAULT" && !details;

const isIndented = ({ message }) => /^\s+\S/.test(message);

/**
 * Returns the lines in blocks, in the order of their first lines. The plain lines that an invocation wrote without a
 * pause are a block if one of them is indented, as in a stack trace; the lines of other invocations may have arrived
 * in between. Any other line is a block of its own.
 */
export function blocksOf(entries) {
  const runs = [];
  /** The last run of each invocation. */
  const last = new Map();
  for (const entry of entries) {
    const source = `${entry.function} ${entry.invocationId ?? ""} ${entry.attempt ?? ""}`;
    let run = last.get(source);
    if (!run || !isPlain(entry) || !isPlain(run[0]) || run.length === maximumLines
      || Date.parse(entry.time) - Date.parse(run.at(-1).time) > pause) {
      run = [];
      runs.push(run);
      last.set(source, run);
    }
    run.push(entry);
  }
  return runs.flatMap((run) => (run.some(isIndented) ? [run] : run.map((entry) => [entry])))
    .sort(([a], [b]) => a.number - b.number);
}
