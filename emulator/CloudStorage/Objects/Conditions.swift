import Core

/// The conditions of a request on an object's generation and metageneration.
struct Conditions: Sendable, Hashable {
  var ifGenerationMatch: Int64?
  var ifGenerationNotMatch: Int64?
  var ifMetagenerationMatch: Int64?
  var ifMetagenerationNotMatch: Int64?

  /// The names of the conditions in the JSON API's queries.
  static var names: [(name: String, condition: WritableKeyPath<Self, Int64?>)] {
    [
      ("ifGenerationMatch", \.ifGenerationMatch),
      ("ifGenerationNotMatch", \.ifGenerationNotMatch),
      ("ifMetagenerationMatch", \.ifMetagenerationMatch),
      ("ifMetagenerationNotMatch", \.ifMetagenerationNotMatch),
    ]
  }

  /// Checks the conditions of a change.
  ///
  /// - Parameter metadata: The object's metadata, or `nil` if there is no object. A missing object
  ///   has the generation 0.
  func check(_ metadata: ObjectMetadata?) throws(StorageError) {
    guard hold(ifGenerationMatch, ifMetagenerationMatch, metadata, areEqual: true),
      hold(ifGenerationNotMatch, ifMetagenerationNotMatch, metadata, areEqual: false)
    else { throw .conditionNotMet }
  }

  /// Checks the conditions of a read.
  ///
  /// - Throws: An error with the status 304 if a condition for a change isn't true.
  func check(reading metadata: ObjectMetadata) throws(StorageError) {
    guard hold(ifGenerationMatch, ifMetagenerationMatch, metadata, areEqual: true) else {
      throw .conditionNotMet
    }
    guard hold(ifGenerationNotMatch, ifMetagenerationNotMatch, metadata, areEqual: false) else {
      throw .notModified
    }
  }

  private func hold(
    _ generation: Int64?,
    _ metageneration: Int64?,
    _ metadata: ObjectMetadata?,
    areEqual: Bool
  ) -> Bool {
    if let generation, (generation == metadata?.generation ?? 0) != areEqual { return false }
    if let metageneration, (metageneration == metadata?.metageneration ?? 0) != areEqual {
      return false
    }
    return true
  }
}
