package import Core
import Foundation
import Synchronization

/// Apertium, a translator by rules, as a Debian package or others have installed it: rough where the
/// phrasebook is right, but it knows words that the book doesn't.
///
/// A direction that isn't installed goes through a language between the two, and then the engine is
/// called after that. What it knows too few words of, it declines.
package final class Apertium: Sendable {
  /// How many directions' programs are kept, at one or two hundred megabytes each.
  private static let maximumPipelines = 8
  /// Longer texts, in characters, are declined: others wait meanwhile.
  private static let maximumCharacters = 5_000

  private let directions: [Direction: ApertiumPipeline]
  /// Whose programs may run, the last used last.
  private let used = Mutex<[Direction]>([])

  private struct Direction: Hashable {
    var source: String
    var target: String
  }

  /// Finds what is installed; programs are started once they are needed.
  ///
  /// - Parameters:
  ///   - folder: with `modes` in it, as APERTIUM_DATADIR names one; nil looks where packages put it.
  ///   - environment: where `PATH` and `TMPDIR` are taken from.
  ///   - patience: how long a text may take.
  /// - Throws: FAILED_PRECONDITION if Apertium isn't installed, or no direction is.
  package init(
    folder: String?,
    environment: [String: String],
    patience: Duration = .seconds(5)
  ) throws(StatusError) {
    let folders = folder.map { [$0] } ?? Self.folders
    let modes = folders.lazy.map { ApertiumMode.installed(in: "\($0)/modes") }
    guard let modes = modes.first(where: { !$0.isEmpty }) else {
      throw StatusError(
        .failedPrecondition,
        "Apertium is not installed in \(folders.joined(separator: ", ")); Debian has it as "
          + "apertium with apertium-eng-spa, apertium-es-pt, apertium-fr-es and apertium-spa-ita"
      )
    }
    directions = Dictionary(
      modes.map { (Direction(source: $0.source, target: $0.target), $0) }
    ) { $1.isPreferred ? $1 : $0 }
    .mapValues { ApertiumPipeline($0, environment: environment, patience: patience) }
  }

  private static let folders = [
    "/usr/share/apertium", "/usr/local/share/apertium", "/opt/homebrew/share/apertium",
  ]

  /// `apertium (en-es, es-en, …)`: the directions that go without another between.
  package var description: String {
    let names = directions.keys.map { "\($0.source)-\($0.target)" }.sorted()
    return "apertium (\(names.joined(separator: ", ")))"
  }

  /// A text in another language.
  ///
  /// - Parameters:
  ///   - source: and `target`: base language codes.
  /// - Returns: The text, and `apertium` or, through Spanish, `apertium-via-es`; nil for a pair
  ///   that it doesn't have, a text it knows too little of, and programs that fail.
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

  /// Ends the programs that were used the longest ago, if there are too many.
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

  /// Ends all programs and starts no others.
  package func end() async {
    await withDiscardingTaskGroup { group in
      for pipeline in directions.values { group.addTask { await pipeline.end() } }
    }
  }
}
