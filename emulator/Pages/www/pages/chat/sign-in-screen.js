// The screen of a phone that nobody uses: forms, and the accounts that sign in with one click.

import { demoOffer } from "../../lib/demo.js";
import { fill, h } from "../../lib/dom.js";
import { navigate } from "../../lib/router.js";
import { accountsOf, hasDemoPassword } from "./admission.js";
import { personAvatar } from "./avatar.js";
import { demoPlaces } from "./places.js";
import { profileForm, signInForm, signUpForm } from "./sign-in-forms.js";

const maximumShown = 12;

/**
 * Creates the screen, with the text of a problem if there is one. done(session) is called after a sign-in; choose(uid)
 * lets a person use the phone without a form.
 */
export function signInScreen({ people, email, problem, isOffline, done, choose }) {
  const title = h("h3", {});
  const notice = h("p", { className: "error", role: "alert" }, problem ?? "");
  const view = h("div", {});
  const quick = h("div", {});
  let shown = "";
  let isClosed = false;

  function isReady() {
    notice.textContent = "";
    if (isOffline()) throw new Error("This phone is offline.");
  }

  function show(heading, children) {
    title.textContent = heading;
    fill(view, children);
  }

  function go(heading, children) {
    notice.textContent = "";
    show(heading, children);
    view.querySelector("input").focus();
  }

  const signInView = (email) => signInForm({
    email, isReady, done,
    signUp: (email) => go("Sign up", signUpForm({
      email, isReady, done, signIn: (email) => go("Sign in", signInView(email)),
    })),
    enterProfile: (session) => go("Your profile", profileForm({ session, isReady, done })),
  });

  async function showQuick(key, listed) {
    const accounts = await accountsOf(listed.map(({ uid }) => uid)).catch(() => new Map());
    if (isClosed || key !== shown) return;
    const demo = listed.filter(({ uid }) => accounts.has(uid) && hasDemoPassword(accounts.get(uid)));
    fill(quick, demo.length > 0 && [
      h("p", { className: "faint" }, "Sign in with one click, or choose anybody in the list above:"),
      h("div", { className: "quick", role: "group", "aria-label": "Sign in with one click" },
        demo.slice(0, maximumShown).map(({ uid, name }) => h("button", { type: "button", onclick: () => choose(uid) },
          personAvatar(people, uid), h("bdi", {}, name.slice(0, 60))))),
    ]);
  }

  function showDemo() {
    if (!isClosed) navigate(`/chat?${new URLSearchParams({ phones: demoPlaces })}`);
  }

  show("Sign in", signInView(email));
  return {
    element: h("div", { className: "sign-in" }, title, notice, view, quick),
    focus: () => view.querySelector("input").focus(),
    draw() {
      const listed = people.all();
      const key = JSON.stringify([people.isEmpty, listed.map(({ uid, name }) => [uid, name])]);
      if (key === shown) return;
      shown = key;
      if (people.isEmpty) fill(quick, h("p", { className: "faint" }, "There are no people yet."), demoOffer(showDemo));
      else showQuick(key, listed);
    },
    close() {
      isClosed = true;
    },
  };
}
