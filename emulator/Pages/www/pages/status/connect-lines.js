// The lines that connect an app to this emulator instead of Firebase, by language.

/** Returns pairs of [language, lines]. */
export function connectLines({ project, services }) {
  const { firestore, auth, database, storage, functions } = services;
  const lines = (...parts) => parts.filter((part) => part).join("\n");
  return [
    ["JavaScript", lines(
      firestore && `connectFirestoreEmulator(getFirestore(), "${firestore.host}", ${firestore.port});`,
      auth && `connectAuthEmulator(getAuth(), "http://${auth.host}:${auth.port}");`,
      database && `connectDatabaseEmulator(getDatabase(), "${database.host}", ${database.port});`,
      storage && `connectStorageEmulator(getStorage(), "${storage.host}", ${storage.port});`,
      functions && `connectFunctionsEmulator(getFunctions(), "${functions.host}", ${functions.port});`,
    )],
    ["Swift", lines(
      firestore && `Firestore.firestore().useEmulator(withHost: "${firestore.host}", port: ${firestore.port})`,
      auth && `Auth.auth().useEmulator(withHost: "${auth.host}", port: ${auth.port})`,
      database && `Database.database().useEmulator(withHost: "${database.host}", port: ${database.port})`,
      storage && `Storage.storage().useEmulator(withHost: "${storage.host}", port: ${storage.port})`,
      functions && `Functions.functions().useEmulator(withHost: "${functions.host}", port: ${functions.port})`,
    )],
    ["Kotlin", lines(
      "// The Android emulator reaches this machine as 10.0.2.2.",
      firestore && `Firebase.firestore.useEmulator("10.0.2.2", ${firestore.port})`,
      auth && `Firebase.auth.useEmulator("10.0.2.2", ${auth.port})`,
      database && `Firebase.database.useEmulator("10.0.2.2", ${database.port})`,
      storage && `Firebase.storage.useEmulator("10.0.2.2", ${storage.port})`,
      functions && `Firebase.functions.useEmulator("10.0.2.2", ${functions.port})`,
    )],
    ["Dart", lines(
      firestore && `FirebaseFirestore.instance.useFirestoreEmulator("${firestore.host}", ${firestore.port});`,
      auth && `await FirebaseAuth.instance.useAuthEmulator("${auth.host}", ${auth.port});`,
      database && `FirebaseDatabase.instance.useDatabaseEmulator("${database.host}", ${database.port});`,
      storage && `await FirebaseStorage.instance.useStorageEmulator("${storage.host}", ${storage.port});`,
      functions && `FirebaseFunctions.instance.useFunctionsEmulator("${functions.host}", ${functions.port});`,
    )],
    ["Python", lines(
      "import os",
      firestore && `os.environ["FIRESTORE_EMULATOR_HOST"] = "${firestore.host}:${firestore.port}"`,
      auth && `os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = "${auth.host}:${auth.port}"`,
      database && `os.environ["FIREBASE_DATABASE_EMULATOR_HOST"] = "${database.host}:${database.port}"`,
      storage && `os.environ["FIREBASE_STORAGE_EMULATOR_HOST"] = "${storage.host}:${storage.port}"`,
      storage && `os.environ["STORAGE_EMULATOR_HOST"] = "http://${storage.host}:${storage.port}"`,
      `os.environ["GOOGLE_CLOUD_PROJECT"] = "${project}"`,
      "from google.auth.credentials import AnonymousCredentials",
      "from google.cloud import firestore",
      `database = firestore.Client(project="${project}", credentials=AnonymousCredentials())`,
    )],
  ];
}
