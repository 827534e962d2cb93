// The lines that connect an app to this emulator instead of Firebase, by platform. emulator/CONNECT.md has whole samples.

/** The address of this machine in Android's emulator. */
const androidHost = "10.0.2.2";

/** Returns the lines of the services that run: line({host, port}) for each, by the service's name. */
function connections(services, lines) {
  return Object.entries(lines).flatMap(([name, line]) => (services[name] ? [line(services[name])] : []));
}

const join = (...parts) => parts.flat().join("\n");

/** The lines of the modular API, which the Web SDK and React Native share. */
const modular = {
  firestore: ({ host, port }) => `connectFirestoreEmulator(getFirestore(), "${host}", ${port});`,
  auth: ({ host, port }) => `connectAuthEmulator(getAuth(), "http://${host}:${port}");`,
  database: ({ host, port }) => `connectDatabaseEmulator(getDatabase(), "${host}", ${port});`,
  storage: ({ host, port }) => `connectStorageEmulator(getStorage(), "${host}", ${port});`,
  functions: ({ host, port }) => `connectFunctionsEmulator(getFunctions(), "${host}", ${port});`,
};

/** Returns {title, text, note} for each platform; note is empty if there is nothing to add. */
export function connectLines({ project, services }) {
  const bucket = `${project}.appspot.com`;
  const database = `https://${project}-default-rtdb.firebaseio.com`;
  return [{
    title: "Swift",
    text: join(
      'let options = FirebaseOptions(googleAppID: "1:123456789012:ios:0123456789abcdef", gcmSenderID: "123456789012")',
      `options.projectID = "${project}"`,
      'options.apiKey = "A" + String(repeating: "0", count: 38)',
      `options.storageBucket = "${bucket}"`,
      `options.databaseURL = "${database}"`,
      "FirebaseApp.configure(options: options)",
      connections(services, {
        firestore: ({ host, port }) => `Firestore.firestore().useEmulator(withHost: "${host}", port: ${port})`,
        auth: ({ host, port }) => `Auth.auth().useEmulator(withHost: "${host}", port: ${port})`,
        database: ({ host, port }) => `Database.database().useEmulator(withHost: "${host}", port: ${port})`,
        storage: ({ host, port }) => `Storage.storage().useEmulator(withHost: "${host}", port: ${port})`,
        functions: ({ host, port }) => `Functions.functions().useEmulator(withHost: "${host}", port: ${port})`,
      }),
    ),
    note: "In the app's init, within #if DEBUG. Info.plist needs NSAllowsLocalNetworking, within " +
      "NSAppTransportSecurity. With a GoogleService-Info.plist of this project, FirebaseApp.configure() is enough.",
  }, {
    title: "Kotlin",
    text: join(
      "Firebase.initialize(context, FirebaseOptions.Builder()",
      `    .setProjectId("${project}").setApplicationId("1:123456789012:android:0123456789abcdef").setApiKey("any")`,
      `    .setStorageBucket("${bucket}").setDatabaseUrl("${database}").build())`,
      connections(services, {
        firestore: ({ port }) => `Firebase.firestore.useEmulator("${androidHost}", ${port})`,
        auth: ({ port }) => `Firebase.auth.useEmulator("${androidHost}", ${port})`,
        database: ({ port }) => `Firebase.database.useEmulator("${androidHost}", ${port})`,
        storage: ({ port }) => `Firebase.storage.useEmulator("${androidHost}", ${port})`,
        functions: ({ port }) => `Firebase.functions.useEmulator("${androidHost}", ${port})`,
      }),
    ),
    note: `Android's emulator reaches this machine as ${androidHost}. Debug builds need a network security ` +
      "configuration that permits plain HTTP to it.",
  }, {
    title: "Web",
    text: join(
      `initializeApp({ projectId: "${project}", apiKey: "any", storageBucket: "${bucket}" });`,
      connections(services, modular),
    ),
    note: "",
  }, {
    title: "Flutter",
    text: join(
      connections(services, {
        firestore: ({ host, port }) => `FirebaseFirestore.instance.useFirestoreEmulator("${host}", ${port});`,
        auth: ({ host, port }) => `await FirebaseAuth.instance.useAuthEmulator("${host}", ${port});`,
        database: ({ host, port }) => `FirebaseDatabase.instance.useDatabaseEmulator("${host}", ${port});`,
        storage: ({ host, port }) => `await FirebaseStorage.instance.useStorageEmulator("${host}", ${port});`,
        functions: ({ host, port }) => `FirebaseFunctions.instance.useFunctionsEmulator("${host}", ${port});`,
      }),
    ),
    note: `After Firebase.initializeApp with the project ID ${project}, within if (kDebugMode).`,
  }, {
    title: "React Native",
    text: join(
      connections(services, modular),
    ),
    note: "From @react-native-firebase, within if (__DEV__). The emulator must run with the project of the app's " +
      "GoogleService-Info.plist and google-services.json: --project ID.",
  }, {
    title: "Python",
    text: join(
      "import os",
      connections(services, {
        firestore: ({ host, port }) => `os.environ["FIRESTORE_EMULATOR_HOST"] = "${host}:${port}"`,
        auth: ({ host, port }) => `os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = "${host}:${port}"`,
        database: ({ host, port }) => `os.environ["FIREBASE_DATABASE_EMULATOR_HOST"] = "${host}:${port}"`,
        storage: ({ host, port }) => `os.environ["FIREBASE_STORAGE_EMULATOR_HOST"] = "${host}:${port}"\n` +
          `os.environ["STORAGE_EMULATOR_HOST"] = "http://${host}:${port}"`,
      }),
      `os.environ["GOOGLE_CLOUD_PROJECT"] = "${project}"`,
      "from google.auth.credentials import AnonymousCredentials",
      "from google.cloud import firestore",
      `database = firestore.Client(project="${project}", credentials=AnonymousCredentials())`,
    ),
    note: "firebase-admin reads the same variables.",
  }];
}
