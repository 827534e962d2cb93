// The forms with which a person signs in, signs up, and enters a profile.

import { h } from "../../lib/dom.js";
import { clientCall } from "../../lib/authentication.js";
import { signIn } from "./admission.js";
import { formOf } from "./dialog.js";
import { languageSelect } from "./language-select.js";
import { inWords } from "./problems.js";
import { createProfile, hasProfile } from "./profile.js";
import { Session } from "./session.js";

/** Creates a form. Authentication checks the fields, and its errors are shown in words. */
function form(submit, ...children) {
  const element = formOf((data) => inWords(() => submit(data)), ...children);
  element.noValidate = true;
  return element;
}

const field = (label, properties) => h("label", {}, label, h("input", properties));
const emailField = (value) => field("Email", { name: "email", type: "email", autocomplete: "username", value });
const passwordField = (autocomplete) => field("Password", { name: "password", type: "password", autocomplete });
const profileFields = (name = "") => [
  field("Name", { name: "name", dir: "auto", autocomplete: "name", value: name }),
  h("label", {}, "Language", languageSelect("en")),
];
const link = (text, onclick) => h("p", {}, h("button", { type: "button", className: "link", onclick }, text));
const submitButton = (text) => h("button", { type: "submit", className: "primary" }, text);

function profileOf(data) {
  const name = data.get("name").trim();
  if (!name) throw new Error("Enter a name.");
  return { name, language: data.get("language") };
}

/** Creates the form for an account. isReady() throws an error if the phone is offline. */
export function signInForm({ email, isReady, done, signUp, enterProfile }) {
  const sent = h("p", { role: "status" });
  const element = form(async (data) => {
    isReady();
    const session = await signIn(data.get("email"), data.get("password"));
    if (await hasProfile(session)) done(session);
    else enterProfile(session);
  },
  emailField(email), passwordField("current-password"), submitButton("Sign in"));
  const resetForm = form(async () => {
    const { value } = element.elements.email;
    sent.textContent = "";
    isReady();
    await clientCall("sendOobCode", { requestType: "PASSWORD_RESET", email: value });
    const page = h("a", { href: "/authentication" }, "Authentication");
    sent.replaceChildren("If there is such an account, the page ", page,
      " has the link for a new password: the emulator sends no email.");
  }, h("button", { type: "submit", className: "link" }, "Forgot password?"));
  return [element, resetForm, sent, link("New here? Sign up", () => signUp(element.elements.email.value))];
}

/** Creates the form for a new account and its profile. */
export function signUpForm({ email, isReady, done, signIn }) {
  const element = form(async (data) => {
    isReady();
    const profile = profileOf(data);
    const account = { email: data.get("email"), password: data.get("password"), displayName: profile.name };
    const answer = await clientCall("signUp", { ...account, returnSecureToken: true });
    const session = await Session.begin(answer);
    await createProfile(session, { ...profile, email: answer.email });
    done(session);
  },
  profileFields(), emailField(email), passwordField("new-password"), submitButton("Sign up"));
  return [element, link("I have an account: sign in", () => signIn(element.elements.email.value))];
}

/** Creates the form for the profile of a user who has an account but no profile. */
export function profileForm({ session, isReady, done }) {
  return [form(async (data) => {
    isReady();
    await createProfile(session, { ...profileOf(data), email: session.email });
    done(session);
  },
  h("p", {}, "This account has no profile yet."), profileFields(), submitButton("Get started"))];
}
