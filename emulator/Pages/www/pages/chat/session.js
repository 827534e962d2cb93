// A user's session: the tokens that a sign-in returned. The browser keeps them, so that they survive a reload.

import { clientCall, renewTokens } from "../../lib/authentication.js";
import { status } from "../../lib/emulator.js";

/** The errors of a renewal after which the user must sign in again. */
const endings = new Set(["USER_DISABLED", "USER_NOT_FOUND", "TOKEN_EXPIRED", "INVALID_REFRESH_TOKEN"]);

const keyOf = (project, uid) => `chat.session/${project}/${uid}`;

/** A signed-in user. */
export class Session {
  #key;
  #tokens;
  #renewal = null;
  #isForgotten = false;
  /** Is called with the error when Authentication has ended the session. */
  onEnd = () => {};

  constructor(key, { uid, email, ...tokens }) {
    this.#key = key;
    this.uid = uid;
    this.email = email;
    this.#tokens = tokens;
  }

  /** Returns the session that the browser keeps for a user, or null. */
  static async kept(uid) {
    const key = keyOf((await status()).project, uid);
    try {
      const kept = JSON.parse(localStorage.getItem(key));
      return kept?.refreshToken ? new Session(key, { ...kept, uid }) : null;
    } catch {
      return null;
    }
  }

  /** Creates and keeps the session of a response to a sign-in or a sign-up. */
  static async begin({ localId: uid, email, idToken, refreshToken }) {
    const session = new Session(keyOf((await status()).project, uid), { uid, email, idToken, refreshToken });
    session.#keep();
    return session;
  }

  token() {
    return this.#tokens.idToken;
  }

  /** Returns a token that is newer than the given one. Requests that are refused together share one renewal. */
  renew(token) {
    if (token !== this.#tokens.idToken) return this.#tokens.idToken;
    this.#renewal ??= this.#exchange().finally(() => (this.#renewal = null));
    return this.#renewal;
  }

  /** Checks that the user may still use the session, as an app does when it starts. */
  async check() {
    const idToken = this.token();
    try {
      await clientCall("lookup", { idToken });
    } catch (error) {
      if (error.status !== 0) await this.renew(idToken);
    }
  }

  /** Removes the session from the browser. */
  forget() {
    this.#isForgotten = true;
    localStorage.removeItem(this.#key);
  }

  async #exchange() {
    try {
      this.#tokens = await renewTokens(this.#tokens.refreshToken);
    } catch (error) {
      if (endings.has(error.code)) {
        this.forget();
        this.onEnd(error);
      }
      throw error;
    }
    if (!this.#isForgotten) this.#keep();
    return this.#tokens.idToken;
  }

  #keep() {
    try {
      localStorage.setItem(this.#key, JSON.stringify({ email: this.email, ...this.#tokens }));
    } catch {
      // The storage is full: the session ends with the page.
    }
  }
}
