// Presets of common faults, which last until they are switched off.

/** A number of requests that stands for "until switched off". */
export const always = 1_000_000;

const models = ["openai", "anthropic"];

/** The presets {title, providers, fault}. They cover every provider that the functions may be configured for. */
export const presets = [
  { title: "FCM answers 429", providers: ["fcm"],
    fault: { kind: "status", status: 429, code: "QUOTA_EXCEEDED" } },
  { title: "Phones are unregistered", providers: ["fcm"],
    fault: { kind: "status", status: 404, code: "UNREGISTERED" } },
  { title: "Translation times out", providers: ["translation"], fault: { kind: "timeout-before-headers" } },
  { title: "Translation is slow (2 s)", providers: ["translation"],
    fault: { kind: "delay", delayMilliseconds: 2_000 } },
  { title: "Translation is down (503)", providers: ["translation"], fault: { kind: "status", status: 503 } },
  { title: "Model answers nonsense", providers: models, fault: { kind: "nonsense" } },
  { title: "Model is down (503)", providers: models, fault: { kind: "status", status: 503 } },
  { title: "Model refuses", providers: models, fault: { kind: "refusal" } },
  { title: "Token endpoint fails", providers: ["oauth"], fault: { kind: "status", status: 500 },
    hint: "Takes effect at the next request for an access token" },
];

/** Returns the faults of a listing that belong to a preset. */
export function activeOf({ providers, fault }, faults) {
  return faults.filter((one) => providers.includes(one.provider)
    && one.kind === fault.kind && one.status === fault.status && one.times > always / 2);
}

const common = [
  ["status", "answers a status"], ["delay", "answers late"],
  ["timeout-before-headers", "doesn't answer"], ["timeout-after-headers", "stops halfway"],
  ["reset", "resets the connection"], ["slow-body", "slow body"], ["malformed-json", "malformed JSON"],
  ["truncated-json", "truncated JSON"], ["html", "a proxy's HTML page"], ["empty", "an empty 200"],
];
const ofAnswers = [
  ["wrong-language", "the wrong language"], ["nonsense", "nonsense"], ["link", "markup and a link"],
];
const ofModels = [
  ["length", "ends at the token limit"], ["refusal", "refuses"], ["content-filter", "stopped by a content filter"],
];

export const providers = [
  ["translation", "Translation"], ["openai", "OpenAI"], ["anthropic", "Anthropic"], ["fcm", "FCM"],
  ["oauth", "Token endpoint"],
];

/** Returns the fault kinds of a provider: [kind, text]. */
export function kindsOf(provider) {
  if (models.includes(provider)) return [...common, ...ofModels, ...ofAnswers];
  return provider === "translation" ? [...common, ...ofAnswers] : common;
}

/** Returns the additional members of a fault kind. */
export const membersOf = (kind) =>
  kind === "status" ? ["status", "code", "retryAfter", "delay"]
  : kind === "html" ? ["status", "retryAfter", "delay"]
  : ["delay"];

/** Returns the text of a fault, such as "answers a status 429 QUOTA_EXCEEDED". */
export function faultText(fault) {
  const [, words] = kindsOf(fault.provider).find(([kind]) => kind === fault.kind) ?? [null, fault.kind];
  return [words, fault.status, fault.code, fault.delayMilliseconds ? `after ${fault.delayMilliseconds} ms` : null]
    .filter((part) => part !== null && part !== undefined).join(" ");
}
