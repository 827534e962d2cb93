// Numbers and times for people.

const clock = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, hourCycle: "h23",
});
const minutes = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** "" for what is no time. */
function shown(format, text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? "" : format(date);
}

/** 10:31:07.482 of an RFC 3339 time. */
export const time = (text) => shown(clock.format, text);

/** 10:31 */
export const shortTime = (text) => shown(minutes.format, text);

/** 17/05/2026, 10:31:07 */
export const wholeTime = (text) => shown((date) => date.toLocaleString(), text);

/** 12.3 ms, or 4.2 s */
export function duration(milliseconds) {
  if (milliseconds === null || milliseconds === undefined) return "";
  return milliseconds < 1_000 ? `${Number(milliseconds.toPrecision(3))} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** $0.0012 of millionths of a dollar */
export const money = (micros) => micros === 0 ? "$0" : `$${(micros / 1e6).toFixed(micros < 10_000 ? 6 : 2)}`;

export const number = (value) => new Intl.NumberFormat().format(value);

/** A log line: its message, and what it says beside it. */
export const said = ({ message, details = {} }) =>
  [message, ...Object.entries(details).map(([name, value]) => `${name}=${value}`)].join("  ");
