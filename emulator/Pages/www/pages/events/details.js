// The details of a node in a trace: its numbers, texts and documents.

import { h } from "../../lib/dom.js";
import { bytes, duration, money, number, said, time } from "../../lib/format.js";
import { path } from "../../lib/router.js";
import { actionsOf } from "./actions.js";
import { diff } from "./diff.js";
import { subjectAddress, subjectNoun } from "./subject.js";
import { authorOf, changeWord, exitCodeWord, remark } from "./words.js";

/** The maximum length of a displayed text. Longer texts are truncated, because they slow the browser down. */
const MAXIMUM_TEXT = 20_000;

/** Returns the display of JSON or a text. */
export function body(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const isCut = text.length > MAXIMUM_TEXT;
  return [
    h("pre", { className: "body", tabIndex: 0, dir: "auto" }, isCut ? text.slice(0, MAXIMUM_TEXT) : text),
    isCut && h("p", { className: "empty" }, `… and ${number(text.length - MAXIMUM_TEXT)} more characters`),
  ];
}

/** Returns a list of names and values, without values that are undefined, null or empty. */
function facts(members) {
  const given = Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return h("dl", {}, given.map(([name, value]) => [h("dt", {}, name), h("dd", { dir: "auto" }, value)]));
}

function part(title, content) {
  return [h("h3", {}, title), content];
}

function logLines(logs) {
  if (logs.length === 0) return null;
  return part("stderr", h("ol", { className: "logs" }, logs.map((entry) =>
    h("li", { className: entry.severity.toLowerCase() },
      h("time", { dateTime: entry.time }, time(entry.time)), " ",
      h("strong", {}, entry.severity), " ", h("span", { className: "message", dir: "auto" }, said(entry))))));
}

function usage(output) {
  const used = output?.usage;
  if (!used) return {};
  const tokens = (used.promptTokens ?? 0) + (used.completionTokens ?? 0);
  return {
    "Provider calls": used.providerCalls || null,
    Tokens: tokens ? `${number(used.promptTokens)} in, ${number(used.completionTokens)} out` : null,
    "Characters billed": used.charactersBilled ? number(used.charactersBilled) : null,
    Cost: used.costMicros ? money(used.costMicros) : null,
  };
}

/** Returns a node's data before and after a change. */
const values = ({ before, after }) => [["Before", before], ["After", after]].map(([title, value]) => [
  h("h3", {}, title), h("pre", { dir: "auto" }, JSON.stringify(value, null, 2)),
]);

/** Returns what changed, as names and values. */
function subjectOf(write) {
  const { document, reference, object } = write;
  const address = subjectAddress(write);
  return {
    [subjectNoun(write)]: address ? h("a", { href: address }, document) : document,
    ...(reference && { "Realtime Database": reference.instance }),
    ...(object && { Bucket: object.bucket, ...metadata(object.metadata) }),
  };
}

const metadata = ({ contentType, size, generation, metageneration } = {}) => ({
  "Content type": contentType,
  Size: size && bytes(Number(size)),
  Generation: generation && `${generation}, metageneration ${metageneration}`,
});

/** Returns the data of a change. */
function dataOf({ hasDocuments, reference, object, ...write }) {
  if (!hasDocuments) return h("p", { className: "empty" }, "The data is too large to be shown, or is no longer kept.");
  if (reference) return values(reference);
  return object ? part("Metadata", body(object.metadata)) : diff(write);
}

const makers = {
  write: ({ write }) => [
    facts({
      ...subjectOf(write),
      Change: `${changeWord(write.change)} by ${authorOf(write)}`,
      Event: h("code", {}, write.eventId),
    }),
    dataOf(write),
  ],
  delivery: ({ delivery }, context) => [
    facts({
      Function: h("a", { href: path("functions", delivery.function) }, delivery.function),
      Delivery: h("a", { href: path("events", delivery.id) }, delivery.id),
      Attempts: delivery.attempts,
      "Next attempt": delivery.nextAttempt && time(delivery.nextAttempt),
      Outcome: remark(delivery),
      "Killed by chaos": delivery.kills || null,
    }),
    // The actions of the page's subject are above the timeline.
    delivery.id !== context.subject && actionsOf(delivery, context),
  ],
  attempt: ({ attempt, durationMs }) => [
    facts({
      "Exit code": attempt.exitCode === undefined ? "still running" : exitCodeWord(attempt.exitCode),
      Took: duration(durationMs),
      Error: attempt.error && `${attempt.error.code}: ${attempt.error.message}`,
      ...usage(attempt.output),
    }),
    logLines(attempt.logs),
    attempt.output && part("Result line", body(attempt.output)),
  ],
  call: ({ call, durationMs }) => [
    facts({
      Function: h("a", { href: path("functions", call.report.function) }, call.report.function),
      Call: h("a", { href: path("events", call.report.id) }, call.report.id),
      Caller: call.report.uid ?? "not signed in",
      "Exit code": call.report.exitCode === undefined ? "still running" : exitCodeWord(call.report.exitCode),
      Took: duration(durationMs),
      Outcome: remark(call.report),
      ...usage(call.report.output),
    }),
    call.event && part("Request", body(call.event.data ?? call.event)),
    logLines(call.logs),
    call.report.output && part("Result line", body(call.report.output)),
  ],
  provider: ({ provider, durationMs }) => {
    const { charge } = provider;
    return [
      facts({
        Request: h("code", {}, `${provider.method} ${provider.path}`),
        Status: provider.status ?? "none: the connection was closed",
        Took: duration(durationMs),
        Engine: charge?.engine,
        Tokens: charge?.promptTokens === undefined
          ? null : `${number(charge.promptTokens)} in, ${number(charge.completionTokens)} out`,
        Characters: charge?.characters,
        Cost: charge ? (charge.costMicros === undefined ? "unknown" : money(charge.costMicros)) : null,
      }),
      provider.request && part(`Request, ${number(provider.requestBytes)} bytes`, body(provider.request)),
      provider.response && part(`Response, ${number(provider.responseBytes)} bytes`, body(provider.response)),
    ];
  },
};

export const details = (node, context) => makers[node.kind](node, context);
