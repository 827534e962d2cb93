package import Core
import Foundation
import Synchronization

/// The rule-based translator Apertium, as installed by Debian's packages, Homebrew or others.
///
/// Apertium's translations are rougher than the phrasebook's, but it knows more words. If a
/// direction isn't installed, a text is translated through a third language, and the engine's name
/// includes that language. A text with too many unknown words isn't translated.
package final class Apertium: Sendable {
  /// The maximum number of directions whose programs keep running, at 100 to 200 MB each.
  private static let maximumPipelines = 8
  /// The maximum length of a text, in characters. Longer texts would block other texts for too
  /// long.
  private static let maximumCharacters = 5_000

  private let directions: [Direction: ApertiumPipeline]
  /// The directions whose programs may be running, in the order of their last use.
  private let used = Mutex<[Direction]>([])

  private struct Direction: Hashable {
    var source: String
    var target: String
  }

  /// Creates a translator for the installed directions. Programs start at the first use.
  ///
  /// - Parameters:
  ///   - folder: the data folder with `modes` in it, as `APERTIUM_DATADIR` gives it, or `nil` for
  ///     the folders that packages use.
  ///   - environment: the environment from which `PATH` and `TMPDIR` are taken.
  ///   - timeout: the time limit for translating a text.
  /// - Throws: `FAILED_PRECONDITION` if Apertium is missing or has no direction.
  package init(
    folder: String?,
    environment: [String: String],
    timeout: Duration = .seconds(5)
  ) throws(StatusError) {
    let folders = folder.map { [$0] } ?? Self.folders
    let modes = folders.lazy.map { ApertiumMode.installed(in: "\($0)/modes") }
    guard let modes = modes.first(where: { !$0.isEmpty }) else {
      throw StatusError(
        .failedPrecondition,
        "Apertium is not installed in \(folders.joined(separator: ", ")): install the packages "
          + "apertium with apertium-eng-spa, apertium-es-pt, apertium-fr-es and apertium-spa-ita"
      )
    }
    directions = Dictionary(
      modes.map { (Direction(source: $0.source, target: $0.target), $0) }
    ) { $1.isPreferred ? $1 : $0 }
    .mapValues { ApertiumPipeline($0, environment: environment, timeout: timeout) }
  }

  private static let folders = [
    "/usr/share/apertium", "/usr/local/share/apertium", "/opt/homebrew/share/apertium",
  ]

  /// The name with the directions that need no third language: `apertium (en-es, es-en, …)`.
  package var description: String {
    let names = directions.keys.map { "\($0.source)-\($0.target)" }.sorted()
    return "apertium (\(names.joined(separator: ", ")))"
  }

  /// Translates a text.
  ///
  /// - Parameters:
  ///   - source: the base code of the text's language.
  ///   - target: the base code of the target language.
  /// - Returns: the translation and the engine's name, such as `apertium`, or `apertium-via-es` for
  ///   a translation through Spanish. The result is `nil` if the pair isn't installed, too many
  ///   words are unknown, or the programs fail.
  func translate(
    _ text: String,
    from source: String,
    to target: String
  ) async -> (text: String, engine: String)? {
    guard text.count <= Self.maximumCharacters, let route = route(from: source, to: target) else {
      return nil
    }
    var text = text
    for direction in route {
      guard let pipeline = directions[direction] else { return nil }
      await makeRoom(for: direction)
      let message = ApertiumText(text, isSpanish: direction.source == "es")
      guard let answer = await pipeline.translate(message.stream),
        let translation = message.translation(from: answer)
      else { return nil }
      text = translation
    }
    return (text, route.count == 1 ? "apertium" : "apertium-via-\(route[0].target)")
  }

  private func route(from source: String, to target: String) -> [Direction]? {
    let direct = Direction(source: source, target: target)
    if directions[direct] != nil { return [direct] }
    let between = directions.keys.filter { $0.source == source }.map(\.target).sorted()
    return between.lazy
      .map { [Direction(source: source, target: $0), Direction(source: $0, target: target)] }
      .first { self.directions[$0[1]] != nil }
  }

  /// Ends the least recently used programs if too many are running.
  private func makeRoom(for direction: Direction) async {
    let surplus = used.withLock { used in
      used.removeAll { $0 == direction }
      used.append(direction)
      let surplus = Array(used.dropLast(Self.maximumPipelines))
      used.removeFirst(surplus.count)
      return surplus
    }
    for old in surplus { await directions[old]?.rest() }
  }

  /// Ends all programs; none is started again.
  package func end() async {
    await withDiscardingTaskGroup { group in
      for pipeline in directions.values { group.addTask { await pipeline.end() } }
    }
  }
}
