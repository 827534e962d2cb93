// Words and numbers about functions.

import { duration, money, number } from "../../lib/format.js";

const exitCodes = {
  0: "done, or rightly skipped",
  64: "the command line is wrong",
  65: "the event is bad: not tried again",
  70: "a bug",
  75: "try again",
  77: "the caller may not",
  78: "a key or variable is missing or refused",
};

/** What an exit code says, in words. */
export const exitCodeText = (code) => exitCodes[code] ?? (code < 0 || code > 128 ? "ended by a signal" : "unknown");

/** messages created, of a trigger */
export function triggerText({ eventType, document, fields, database }) {
  const kind = eventType.split(".").pop();
  const where = database ? ` in ${database}` : "";
  return `${kind}${fields ? ` (${fields.join(", ")})` : ""}: ${document}${where}`;
}

/** 83 %, or a dash where nothing was asked for. */
export function hitRate({ cacheHits, cacheMisses }) {
  const all = cacheHits + cacheMisses;
  return all ? `${Math.round((100 * cacheHits) / all)} %` : "–";
}

/** "12 ms · 40 ms · 80 ms" */
export const percentiles = ({ p50, p95, p99 }) => [p50, p95, p99].map(duration).join(" · ");

export const succeededAttempts = ({ attempts }) => attempts[0] ?? 0;
export const failedAttempts = ({ attempts }) =>
  Object.entries(attempts).reduce((sum, [code, count]) => (code === "0" ? sum : sum + count), 0);

/** "≈ $0.0012": it is reckoned, not paid. */
export const saved = (micros) => (micros === undefined ? "not known yet" : `${micros ? "≈ " : ""}${money(micros)}`);

/** "$0.0012", and whether there is more that has no price. */
export const cost = ({ costMicros, unpricedEngines }) =>
  money(costMicros) + (unpricedEngines?.length ? ` and what ${unpricedEngines.join(", ")} costs` : "");

/** The state in one word, and how it is coloured. */
export function stateOf(status, isAllPaused) {
  if (status.paused || isAllPaused) return ["paused", "warn"];
  if (status.running || status.processes?.busy) return ["running", "good"];
  if (status.waiting) return ["waiting", "warn"];
  return ["idle", ""];
}

export const count = (value) => number(value ?? 0);
