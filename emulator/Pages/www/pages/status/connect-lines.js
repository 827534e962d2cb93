// The lines that connect an app to this emulator instead of Firebase, by language.

/** Returns pairs of [language, lines]. */
export function connectLines({ project, services }) {
  const { firestore, functions } = services;
  const lines = (...parts) => parts.filter((part) => part).join("\n");
  return [
    ["JavaScript", lines(
      firestore && `connectFirestoreEmulator(getFirestore(), "${firestore.host}", ${firestore.port});`,
      functions && `connectFunctionsEmulator(getFunctions(), "${functions.host}", ${functions.port});`,
    )],
    ["Swift", lines(
      firestore && `Firestore.firestore().useEmulator(withHost: "${firestore.host}", port: ${firestore.port})`,
      functions && `Functions.functions().useEmulator(withHost: "${functions.host}", port: ${functions.port})`,
    )],
    ["Kotlin", lines(
      "// The Android emulator reaches this machine as 10.0.2.2.",
      firestore && `Firebase.firestore.useEmulator("10.0.2.2", ${firestore.port})`,
      functions && `Firebase.functions.useEmulator("10.0.2.2", ${functions.port})`,
    )],
    ["Python", lines(
      "import os",
      firestore && `os.environ["FIRESTORE_EMULATOR_HOST"] = "${firestore.host}:${firestore.port}"`,
      `os.environ["GOOGLE_CLOUD_PROJECT"] = "${project}"`,
      "from google.auth.credentials import AnonymousCredentials",
      "from google.cloud import firestore",
      `database = firestore.Client(project="${project}", credentials=AnonymousCredentials())`,
    )],
  ];
}
