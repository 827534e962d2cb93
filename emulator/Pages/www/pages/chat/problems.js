// The errors of Authentication, in words for an app's users.

const words = {
  EMAIL_EXISTS: "There is already an account with this email address.",
  EMAIL_NOT_FOUND: "There is no account with this email address.",
  INVALID_EMAIL: "This isn't a valid email address.",
  INVALID_LOGIN_CREDENTIALS: "The email address or the password is wrong.",
  INVALID_PASSWORD: "The password is wrong.",
  INVALID_REFRESH_TOKEN: "The session has ended: sign in again.",
  MISSING_EMAIL: "Enter an email address.",
  MISSING_PASSWORD: "Enter a password.",
  OPERATION_NOT_ALLOWED: "Email addresses and passwords aren't enabled in this project.",
  PASSWORD_LOGIN_DISABLED: "Email addresses and passwords aren't enabled in this project.",
  TOKEN_EXPIRED: "The password was changed, or all sessions were ended.",
  TOO_MANY_ATTEMPTS_TRY_LATER: "There were too many attempts: try again later.",
  USER_DISABLED: "The account is disabled.",
  USER_NOT_FOUND: "The account was deleted.",
  WEAK_PASSWORD: "The password is too short: it needs at least 6 characters.",
};

/** Returns the words for an error; any other error has its own message. */
export const wordsOf = ({ code, message }) => (Object.hasOwn(words, code) ? words[code] : message);

/** Performs work; an error that it throws has words as its message. */
export async function inWords(work) {
  try {
    return await work();
  } catch (error) {
    throw new Error(wordsOf(error));
  }
}
