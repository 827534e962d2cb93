// Users, and the ID tokens that their requests carry.

import { status } from "./emulator.js";

/**
 * Sends a request as a user, by send(headers). If the ID token has expired, sends the request once more with a new
 * one.
 */
export async function asUser(user, send) {
  const headersOf = (token) => ({ authorization: `Bearer ${token}` });
  const token = await user.token();
  try {
    return await send(headersOf(token));
  } catch (error) {
    if (error.status !== 401) throw error;
    return send(headersOf(await user.renew(token)));
  }
}

/**
 * A user who hasn't signed in. Firebase's emulators accept unsigned tokens, in projects whose names begin with "demo-"
 * also of users without an account. `claims` are further claims of the tokens.
 */
export class UnsignedUser {
  #claims;

  constructor(uid, claims = {}) {
    this.uid = uid;
    this.#claims = claims;
  }

  /** Does nothing: the browser keeps nothing of the user. */
  forget() {}

  token() {
    return tokenOf(this.uid, this.#claims, Math.floor(Date.now() / 1_000));
  }

  /** Returns a new token. When all tokens expire, those of the next second are the first valid ones. */
  renew() {
    return tokenOf(this.uid, this.#claims, Math.floor(Date.now() / 1_000) + 1);
  }
}

/** Returns an unsigned ID token, issued at a time in seconds since 1970. */
async function tokenOf(uid, others, time) {
  const { project } = await status();
  const claims = {
    firebase: { sign_in_provider: "custom", identities: {} }, ...others,
    iss: `https://securetoken.google.com/${project}`, aud: project, sub: uid, user_id: uid,
    auth_time: time, iat: time, exp: time + 3_600,
  };
  const part = (value) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    const text = btoa(String.fromCharCode(...bytes));
    return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  };
  return `${part({ alg: "none", typ: "JWT" })}.${part(claims)}.`;
}
