// Users, and the ID tokens that their requests carry.

import { status } from "./emulator.js";

/**
 * Sends a request as a user, by send(headers). If the ID token has expired, sends the request once more with a new
 * one. `scheme` is the word before the token: Cloud Storage has another one.
 */
export async function asUser(user, send, scheme = "Bearer") {
  const headersOf = (token) => ({ authorization: `${scheme} ${token}` });
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
 * also of users without an account. `claims` are further claims of the tokens; `project` is theirs, or null for the
 * emulator's.
 */
export class UnsignedUser {
  #claims;
  #project;

  constructor(uid, claims = {}, project = null) {
    this.uid = uid;
    this.#claims = claims;
    this.#project = project;
  }

  /** Does nothing: the browser keeps nothing of the user. */
  forget() {}

  token() {
    return this.#tokenAt(Math.floor(Date.now() / 1_000));
  }

  /** Returns a new token. When all tokens expire, those of the next second are the first valid ones. */
  renew() {
    return this.#tokenAt(Math.floor(Date.now() / 1_000) + 1);
  }

  async #tokenAt(time) {
    return tokenOf(this.uid, this.#claims, time, this.#project ?? (await status()).project);
  }
}

/** Returns an unsigned ID token, issued at a time in seconds since 1970. */
function tokenOf(uid, others, time, project) {
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
