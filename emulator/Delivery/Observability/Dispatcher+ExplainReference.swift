import Core
import FirestoreModel
import FunctionRuntime

extension Dispatcher {
  /// Explains why a node of a Realtime Database exists, or why it is missing.
  ///
  /// - Parameters:
  ///   - ref: The path of the node, without a slash at its start.
  ///   - exists: Whether the node has data.
  package func explain(ref: String, in instance: String, exists: Bool) -> Explanation {
    guard !hasNoFunctions else {
      return Explanation(
        sentence: "\(ref) has no recorded history, because this emulator has no functions.",
        chain: []
      )
    }
    guard let entry = references.lastWrite(to: ref, in: instance) else {
      return exists
        ? Explanation(
          sentence: "\(ref) is older than the history that this emulator has recorded.",
          chain: []
        ) : absence(ofRef: ref)
    }
    let author = entry.invoker.map { "\($0.function), \($0.invocation)" } ?? entry.author.words
    let place = entry.path.isEmpty ? "the root" : entry.path.joined(separator: "/")
    let isAbove = entry.path.count < ref.keys.count
    let words =
      switch (exists, isAbove) {
      case (true, true): "\(ref) comes from the write of \(place)"
      case (true, false): "\(place) was written"
      case (false, true): "\(ref) isn't in the write of \(place)"
      case (false, false): "\(ref) doesn't exist: \(place) was deleted"
      }
    return Explanation(
      sentence: "\(words) at \(entry.time), by \(author).",
      chain: chain(
        to: entry.invoker,
        by: entry.author.words,
        what: "wrote \(place)",
        at: entry.time
      )
    )
  }

  /// Explains the absence of a node that was never written.
  private func absence(ofRef ref: String) -> Explanation {
    let segments = ref.keys
    let writers = sortedManifests.filter { manifest in
      manifest.refWrites.contains { text in
        guard let pattern = try? PathPattern(ofNodes: text) else { return false }
        // A function that writes a node writes what is below it, too.
        return segments.indices.contains { pattern.match(Array(segments[...$0])) != nil }
      }
    }.map(\.name)
    return absence(of: ref, kind: "nodes", writers: writers) { event in
      // A conversation's id is part of the path of its members, for example.
      segments.contains { $0.hasSameBytes(as: event.path.keys.last ?? "") }
    }
  }
}
