// What people read of states, times and causes.

/** Of deliveries and calls; a call that has failed is given up at once. */
const states = {
  waiting: { text: "waiting", tone: "warn" },
  running: { text: "running", tone: "warn" },
  succeeded: { text: "succeeded", tone: "good" },
  skipped: { text: "skipped", tone: "" },
  deadLettered: { text: "dead letter", tone: "bad" },
  failed: { text: "failed", tone: "bad" },
};

export const stateNames = Object.keys(states);
export const stateWord = (state) => states[state]?.text ?? state;
export const stateTone = (state) => states[state]?.tone ?? "";

/** What an exit code says, by the contract of the functions. */
export function exitCodeWord(code) {
  const words = {
    0: "done", 64: "wrong command line", 65: "bad event", 70: "a bug", 75: "try again", 77: "not allowed",
    78: "not configured",
  };
  return words[code] ? `${code}, ${words[code]}` : String(code);
}

/** Microseconds since 1970 of an RFC 3339 time, of which Date would drop half the digits. */
export function microseconds(text) {
  const [, seconds, fraction = ""] = /^(.{19})(?:\.(\d+))?/.exec(text);
  return Date.parse(`${seconds}Z`) * 1_000 + Number(fraction.padEnd(6, "0").slice(0, 6));
}

export const isCall = (report) => report.eventId === undefined;

/** The one sentence beside a delivery or call that isn't simply done. */
export function remark(report) {
  if (report.error) return `${report.error.code}: ${report.error.message}`;
  return report.reason ?? "";
}

/** Who made a change, of a trace's write. */
export function authorOf({ author, authorName }) {
  switch (author) {
    case "user": return authorName;
    case "function": return authorName;
    case "admin": return "an administrator";
    case "unauthenticated": return "nobody signed in";
    case "expiry": return "a TTL policy";
    default: return "somebody";
  }
}

/** Whether a document is one in which functions keep their own books, which tell little of the story. */
export const isBookkeeping = (document) => /^(leases|limits|functionEvents)\//.test(document);
