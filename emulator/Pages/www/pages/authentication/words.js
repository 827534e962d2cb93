// Texts about accounts, and about the service's errors.

import { wholeTime } from "../../lib/format.js";

/** Sentences for the service's errors. The others are shown as they are. */
const sentences = {
  ADMIN_ONLY_OPERATION: "Anonymous users are switched off in the settings.",
  CLAIMS_TOO_LARGE: "Custom claims can have at most 1,000 characters.",
  DUPLICATE_LOCAL_ID: "Another account has this user ID.",
  EMAIL_EXISTS: "Another account has this email address.",
  FORBIDDEN_CLAIM: "A custom claim can't have a name that tokens use themselves.",
  INVALID_CLAIMS: "Custom claims must be a JSON object.",
  INVALID_EMAIL: "The email address isn't valid.",
  INVALID_OOB_CODE: "The link has expired, or was used already.",
  INVALID_PHONE_NUMBER: "A phone number begins with + and the code of the country.",
  OPERATION_NOT_ALLOWED: "This way to sign in is switched off in the settings.",
  PHONE_NUMBER_EXISTS: "Another account has this phone number.",
  USER_DISABLED: "The account is disabled.",
  USER_NOT_FOUND: "The account doesn't exist any more.",
  WEAK_PASSWORD: "The password must have at least 6 characters.",
};

/** Performs an action. Its errors are thrown with a sentence before the service's own message. */
export async function explained(action) {
  try {
    return await action();
  } catch (error) {
    const sentence = sentences[error.code];
    throw sentence ? new Error(`${sentence} (${error.message})`, { cause: error }) : error;
  }
}

const names = {
  password: "Password", phone: "Phone", "google.com": "Google", "apple.com": "Apple", anonymous: "Anonymous",
  custom: "Custom token",
};

export const providerName = (id) => names[id] ?? id;

/** Returns the IDs of the ways in which a user signs in. */
export function signInMethods({ providerUserInfo = [], customAuth, email, phoneNumber }) {
  const ids = providerUserInfo.map(({ providerId }) => providerId);
  if (customAuth) ids.push("custom");
  return ids.length === 0 && !email && !phoneNumber ? ["anonymous"] : ids;
}

/** Returns the text by which people know an account. */
export function identifier(account) {
  const { email, phoneNumber, providerUserInfo: [provider] = [] } = account;
  return email ?? phoneNumber ?? provider?.email ?? provider?.rawId
    ?? (account.customAuth ? "custom token" : "anonymous");
}

/** Formats a time in milliseconds since 1970; returns "" if there is none. */
export function timeText(milliseconds) {
  const date = new Date(Number(milliseconds));
  return !milliseconds || Number.isNaN(date.getTime()) ? "" : wholeTime(date.toISOString());
}

/** Returns a phone number as accounts have it. */
export const withoutSpaces = (number) => number.replaceAll(/[\s().-]/g, "");
