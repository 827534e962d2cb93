// How people get onto a phone: with an account's session, or without an account.

import { adminCall, clientCall } from "../../lib/authentication.js";
import { status } from "../../lib/emulator.js";
import { UnsignedUser } from "../../lib/user.js";
import { wordsOf } from "./problems.js";
import { Session } from "./session.js";

/** The password of the demo's accounts, as in emulator/main/Demo/DemoData.swift. */
const demoPassword = "worldchat";

/** The maximum number of accounts that are looked up at a time. */
const maximumAccounts = 300;

export const hasDemoPassword = ({ passwordHash }) => passwordHash?.endsWith(`:password=${demoPassword}`) ?? false;

/** Returns the accounts of users, by their IDs. Without Authentication there are none. */
export async function accountsOf(uids) {
  if (!uids.length || !(await status()).services.auth) return new Map();
  const { users = [] } = await adminCall("accounts:lookup", { localId: uids.slice(0, maximumAccounts) });
  return new Map(users.map((user) => [user.localId, user]));
}

export async function signIn(email, password) {
  return Session.begin(await clientCall("signInWithPassword", { email, password, returnSecureToken: true }));
}

/**
 * Lets a person use a phone without a form, and returns {user}: with the session that the browser keeps, with the
 * demo's password, or without an account. Otherwise returns the text of the problem, if there is one, and the email
 * address for the form: {problem, email}.
 */
export async function admit(uid, { isOffline }) {
  const session = await Session.kept(uid);
  let email = session?.email;
  try {
    if (session) {
      // An offline app doesn't notice that its session has ended.
      if (!isOffline) await session.check();
      return { user: session };
    }
    const account = (await accountsOf([uid])).get(uid);
    if (!account) return await withoutAccount(uid);
    email = account.email;
    return hasDemoPassword(account) ? { user: await signIn(email, demoPassword) } : { email };
  } catch (error) {
    return { problem: wordsOf(error), email };
  }
}

async function withoutAccount(uid) {
  const { project } = await status();
  if (project.startsWith("demo-")) return { user: new UnsignedUser(uid) };
  return { problem: `${uid} has no account: use a project that begins with demo-, or sign up.` };
}
