// The texts for states, times and causes.

/** The states of deliveries and calls. A failed call isn't retried. */
const states = {
  waiting: { text: "waiting", tone: "warn" },
  running: { text: "running", tone: "warn" },
  succeeded: { text: "succeeded", tone: "good" },
  skipped: { text: "skipped", tone: "" },
  deadLettered: { text: "dead letter", tone: "bad" },
  failed: { text: "failed", tone: "bad" },
};

export const stateNames = Object.keys(states);
/** Returns a number of deliveries of a state in words, such as "2 dead letters". */
export const stateCount = (count, state) =>
  `${count} ${stateWord(state)}${state === "deadLettered" && count > 1 ? "s" : ""}`;
export const stateWord = (state) => states[state]?.text ?? state;
export const stateTone = (state) => states[state]?.tone ?? "";

/** Returns the meaning of an exit code in the functions' contract. */
export function exitCodeWord(code) {
  const words = {
    0: "done", 64: "wrong command line", 65: "bad event", 70: "a bug", 75: "try again", 77: "not allowed",
    78: "not configured",
  };
  return words[code] ? `${code}, ${words[code]}` : String(code);
}

/** Returns the microseconds since 1970 of an RFC 3339 time. Date would drop half of the digits. */
export function microseconds(text) {
  const [, seconds, fraction = ""] = /^(.{19})(?:\.(\d+))?/.exec(text);
  return Date.parse(`${seconds}Z`) * 1_000 + Number(fraction.padEnd(6, "0").slice(0, 6));
}

export const isCall = (report) => report.eventId === undefined;

/** Returns the error or reason of a delivery or call, or "". */
export function remark(report) {
  if (report.error) return `${report.error.code}: ${report.error.message}`;
  return report.reason ?? "";
}

/** Returns the author of a write in a trace. */
export function authorOf({ author, authorName }) {
  switch (author) {
    case "user": return authorName;
    case "function": return authorName;
    case "admin": return "an administrator";
    case "unauthenticated": return "an unauthenticated client";
    case "expiry": return "a TTL policy";
    default: return "an unknown client";
  }
}

const changes = { metadataUpdated: "metadata updated" };

/** Returns the words for a change, such as "created". */
export const changeWord = (change) => changes[change] ?? change;

/** Returns whether functions use a document only for their internal state. */
export const isBookkeeping = (document) => /^(leases|limits|functionEvents)\//.test(document);
