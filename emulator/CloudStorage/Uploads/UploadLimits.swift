/// The limits of resumable uploads.
enum UploadLimits {
  /// The time after which an upload expires, as in production.
  static let lifetime = Duration.seconds(7 * 24 * 3_600)
  /// The maximum number of uploads that aren't expired.
  static let count = 10_000
}
