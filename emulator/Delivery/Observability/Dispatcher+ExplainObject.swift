import Core
import FirestoreModel
import FunctionRuntime

extension Dispatcher {
  /// Explains why an object of Cloud Storage exists, or why it is missing.
  ///
  /// - Parameter exists: Whether the object exists.
  package func explain(object name: String, in bucket: String, exists: Bool) -> Explanation {
    let subject = "gs://\(bucket)/\(name)"
    guard !hasNoFunctions else {
      return Explanation(
        sentence: "\(subject) has no recorded history, because this emulator has no functions.",
        chain: []
      )
    }
    guard let entry = objects.lastChange(of: name, in: bucket),
      exists == (entry.kind != .deleted)
    else {
      return exists
        ? Explanation(
          sentence: "\(subject) isn't in the history that this emulator has recorded.",
          chain: []
        ) : absence(of: subject, named: name)
    }
    let author = entry.invoker.map { "\($0.function), \($0.invocation)" } ?? entry.author.words
    let (sentence, words) =
      switch entry.kind {
      case .deleted: ("\(subject) was deleted", "deleted \(subject)")
      case .metadataUpdated:
        ("The metadata of \(subject) was changed", "changed the metadata of \(subject)")
      default: ("\(subject) was uploaded", "uploaded \(subject)")
      }
    return Explanation(
      sentence: "\(sentence) at \(entry.time), by \(author).",
      chain: chain(to: entry.invoker, by: entry.author.words, what: words, at: entry.time)
    )
  }

  /// Explains the absence of an object that was never written.
  private func absence(of subject: String, named name: String) -> Explanation {
    let segments = name.splitAtSlashes
    let writers = sortedManifests.filter { manifest in
      manifest.objectWrites.contains {
        (try? PathPattern(ofObjects: $0))?.match(segments) != nil
      }
    }.map(\.name)
    return absence(of: subject, kind: "objects", writers: writers) { event in
      // A thumbnail has the same file name as its image, for example.
      segments.contains { $0.hasSameBytes(as: event.path.splitAtSlashes.last ?? "") }
    }
  }
}
