/// The file by which Firebase's tools know a folder as an export.
enum FirebaseMetadata {
  static let fileName = "firebase-export-metadata.json"
  static let firestoreFolder = "firestore_export"
}
