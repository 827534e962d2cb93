// The texts and numbers about functions.

import { duration, money, number } from "../../lib/format.js";

const exitCodes = {
  0: "done, or nothing to do",
  64: "invalid command line",
  65: "invalid event: not retried",
  70: "a bug in the function",
  75: "temporary failure: try again",
  77: "the caller isn't allowed to do this",
  78: "a key or variable is missing or invalid",
};

// The signals whose numbers are the same on Linux and macOS.
const signals = {
  1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL",
  11: "SIGSEGV", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM",
};

/** Returns the meaning of an exit code. A code above 128 is a signal, as in a shell. */
export const exitCodeText = (code) => exitCodes[code]
  ?? (code > 128 ? `crashed with signal ${signals[code - 128] ?? code - 128}` : `crashed with exit code ${code}`);

/**
 * Returns the text of a trigger, such as "created: conversations/{id}", "written: status/{uid} in the Realtime
 * Database", or "finalized: avatars/{uid}/{file} in Cloud Storage".
 */
export function triggerText({ eventType, document, ref, object, fields, database, instance, bucket }) {
  const kind = eventType.split(".").pop();
  if (bucket) return `${kind}: ${object ?? "every object"} in ${bucket === "*" ? "Cloud Storage" : `gs://${bucket}`}`;
  if (ref) return `${kind}: ${ref} in the Realtime Database${instance === "*" ? "" : ` ${instance}`}`;
  const where = database ? ` in ${database}` : "";
  return `${kind}${fields ? ` (${fields.join(", ")})` : ""}: ${document}${where}`;
}

/** Returns the cache's hit rate, such as "83 %", or a dash without requests. */
export function hitRate({ cacheHits, cacheMisses }) {
  const all = cacheHits + cacheMisses;
  return all ? `${Math.round((100 * cacheHits) / all)} %` : "–";
}

/** Returns the percentiles, such as "12 ms · 40 ms · 80 ms". */
export const percentiles = ({ p50, p95, p99 }) => [p50, p95, p99].map(duration).join(" · ");

export const succeededAttempts = ({ attempts }) => attempts[0] ?? 0;
export const failedAttempts = ({ attempts }) =>
  Object.entries(attempts).reduce((sum, [code, count]) => (code === "0" ? sum : sum + count), 0);

/** Returns the saved cost, such as "≈ $0.0012", which is an estimate. */
export const saved = (micros) => (micros === undefined ? "unknown yet" : `${micros ? "≈ " : ""}${money(micros)}`);

/** Returns the cost, such as "$0.0012", and the engines whose price is unknown. */
export const cost = ({ costMicros, unpricedEngines }) =>
  money(costMicros) + (unpricedEngines?.length ? ` and the unknown cost of ${unpricedEngines.join(", ")}` : "");

/** Returns the state as a word, and its color. */
export function stateOf(status, isAllPaused) {
  if (status.paused || isAllPaused) return ["paused", "warn"];
  if (status.running || status.processes?.busy) return ["running", "good"];
  if (status.waiting) return ["waiting", "warn"];
  return ["idle", ""];
}

export const count = (value) => number(value ?? 0);
