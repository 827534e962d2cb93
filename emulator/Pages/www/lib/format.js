// Formats of numbers and times.

const clock = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, hourCycle: "h23",
});
const days = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const minutes = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** Formats a time; returns "" if the text isn't one. */
function shown(format, text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? "" : format(date);
}

/** The time of day of an RFC 3339 time: 10:31:07.482. */
export const time = (text) => shown(clock.format, text);

/** The hours and minutes of a time: 10:31. */
export const shortTime = (text) => shown(minutes.format, text);

/** The hours and minutes of a time, after the day unless it is today: 10:31, or 17 May, 10:31. */
export const dayTime = (text) => shown((date) =>
  (date.toDateString() === new Date().toDateString() ? minutes : days).format(date), text);

/** The date and the time of day: 17/05/2026, 10:31:07. */
export const wholeTime = (text) => shown((date) => date.toLocaleString(), text);

/** A duration: 12.3 ms, or 4.2 s. */
export function duration(milliseconds) {
  if (milliseconds === null || milliseconds === undefined) return "";
  return milliseconds < 1_000 ? `${Number(milliseconds.toPrecision(3))} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** An amount in dollars, given in millionths of a dollar: $0.0012. */
export const money = (micros) => micros === 0 ? "$0" : `$${(micros / 1e6).toFixed(micros < 10_000 ? 6 : 2)}`;

export const number = (value) => new Intl.NumberFormat().format(value);

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** A number of bytes, rounded: 1 byte, 12.3 KiB. */
export function bytes(count) {
  const power = count < 1_024 ? 0 : Math.min(Math.floor(Math.log2(count) / 10), units.length - 1);
  if (power === 0) return `${number(count)} ${count === 1 ? "byte" : "bytes"}`;
  return `${new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 }).format(count / 1_024 ** power)} ${units[power]}`;
}

/** The text of a log line: its message, followed by its details. */
export const said = ({ message, details = {} }) =>
  [message, ...Object.entries(details).map(([name, value]) => `${name}=${value}`)].join("  ");
