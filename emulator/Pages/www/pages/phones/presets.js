// Faults of everyday life, one click each, until they are switched off.

/** So many that it never ends by itself. */
export const always = 1_000_000;

const models = ["openai", "anthropic"];

/** {title, providers, fault}: whichever provider the functions were started with. */
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
  { title: "Model declines", providers: models, fault: { kind: "refusal" } },
  { title: "Token endpoint fails", providers: ["oauth"], fault: { kind: "status", status: 500 },
    hint: "Seen when the next access token is due" },
];

/** The faults in a listing that a preset has asked for. */
export function activeOf({ providers, fault }, faults) {
  return faults.filter((one) => providers.includes(one.provider)
    && one.kind === fault.kind && one.status === fault.status && one.times > always / 2);
}

const common = [
  ["status", "answers a status"], ["delay", "answers well, but late"],
  ["timeout-before-headers", "says nothing"], ["timeout-after-headers", "stops in the middle"],
  ["reset", "resets the connection"], ["slow-body", "trickles"], ["malformed-json", "malformed JSON"],
  ["truncated-json", "breaks off"], ["html", "a proxy's page in HTML"], ["empty", "an empty 200"],
];
const ofAnswers = [
  ["wrong-language", "the wrong language"], ["nonsense", "nonsense"], ["link", "markup and a link"],
];
const ofModels = [
  ["length", "ends at the limit of tokens"], ["refusal", "declines"], ["content-filter", "a filter stops it"],
];

export const providers = [
  ["translation", "Translation"], ["openai", "OpenAI"], ["anthropic", "Anthropic"], ["fcm", "FCM"],
  ["oauth", "Token endpoint"],
];

/** The kinds a provider can have: [kind, words]. */
export function kindsOf(provider) {
  if (models.includes(provider)) return [...common, ...ofModels, ...ofAnswers];
  return provider === "translation" ? [...common, ...ofAnswers] : common;
}

/** Which further members a kind takes. */
export const membersOf = (kind) =>
  kind === "status" ? ["status", "code", "retryAfter", "delay"]
  : kind === "html" ? ["status", "retryAfter", "delay"]
  : ["delay"];

/** "status 429 QUOTA_EXCEEDED", in words. */
export function faultText(fault) {
  const [, words] = kindsOf(fault.provider).find(([kind]) => kind === fault.kind) ?? [null, fault.kind];
  return [words, fault.status, fault.code, fault.delayMilliseconds ? `after ${fault.delayMilliseconds} ms` : null]
    .filter((part) => part !== null && part !== undefined).join(" ");
}
