// A client of the emulator's Authentication service.

import { Failure, request, service, status } from "./emulator.js";

/**
 * Sends a request to the service. An error of the Identity Toolkit API begins with its name, such as "WEAK_PASSWORD :
 * Password should be…"; the thrown Failure has this name as its code.
 */
async function call(method, path, options) {
  const url = `${await service("auth")}/${path}`;
  try {
    return await request(method, url, options);
  } catch (error) {
    if (!(error instanceof Failure) || error.status === 0) throw error;
    throw new Failure(error.status, error.message.split(" : ")[0], error.message);
  }
}

/** Calls an operation as a client: clientCall("signInWithPassword", {email, password, returnSecureToken: true}). */
export function clientCall(operation, body = {}) {
  return call("POST", `identitytoolkit.googleapis.com/v1/accounts:${operation}?key=emulator`, { body });
}

const owner = { authorization: "Bearer owner" };
const projectPath = async () => `projects/${encodeURIComponent((await status()).project)}`;

/**
 * Calls an operation as an administrator. The path is relative to the project:
 * adminCall("accounts:update", {localId, disableUser: true}).
 */
export async function adminCall(path, body, method = "POST") {
  const url = `identitytoolkit.googleapis.com/v1/${await projectPath()}/${path}`;
  return call(method, url, { body, headers: owner });
}

/** Calls one of the emulator's own routes. The path is relative to the project: emulatorCall("GET", "oobCodes"). */
export async function emulatorCall(method, path, body) {
  return call(method, `emulator/v1/${await projectPath()}/${path}`, { body, headers: owner });
}

/** Exchanges a refresh token for new tokens, {idToken, refreshToken}. */
export async function renewTokens(refreshToken) {
  const body = { grant_type: "refresh_token", refresh_token: refreshToken };
  const tokens = await call("POST", "securetoken.googleapis.com/v1/token?key=emulator", { body });
  return { idToken: tokens.id_token, refreshToken: tokens.refresh_token };
}
