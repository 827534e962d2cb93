import Core

/// The results of one expression, counted.
struct ResultTally: Sendable {
  private struct Entry {
    var sample: ResultSample
    var count: Int
  }

  /// The number of times that the expression was evaluated.
  private(set) var evaluations = 0
  /// The counts of `true` and `false`, which are the most frequent results.
  private var trues = 0
  private var falses = 0
  private var errors = 0
  private var samples: [Entry] = []
  /// The number of results that have no entry.
  private var others = 0
  /// The number of lists, maps and the like that may still be compared.
  private var comparisons = Self.limit

  private static let limit = 20

  /// A Boolean value that indicates whether a result was `true` or `false`.
  var isCondition: Bool { trues + falses > 0 }

  /// The kind of all results if they are of one kind, or else `nil`.
  var constant: CoverageGap.Kind? {
    switch evaluations {
    case trues: .alwaysTrue
    case falses: .alwaysFalse
    case errors: .alwaysError
    default: nil
    }
  }

  /// Counts a result.
  ///
  /// - Parameter room: The number of bytes that new samples may have.
  mutating func add(_ result: EvaluationTrace.Outcome, room: inout Int) {
    evaluations += 1
    if case .failure = result { errors += 1 }
    switch result {
    case .success(.boolean(true)): trues += 1
    case .success(.boolean(false)): falses += 1
    case .success(.null), .success(.integer), .success(.float), .success(.string), .failure:
      if let index = samples.firstIndex(where: { $0.sample.isEqual(to: result) }) {
        samples[index].count += 1
      } else {
        addSample(of: result, room: &room)
      }
    case .success:
      // Comparing such values may take long.
      if comparisons > 0 {
        comparisons -= 1
        addSample(of: result, room: &room)
      } else {
        others += 1
      }
    }
  }

  private mutating func addSample(of result: EvaluationTrace.Outcome, room: inout Int) {
    guard let sample = ResultSample(result) else {
      others += 1
      return
    }
    if let index = samples.firstIndex(where: { $0.sample == sample }) {
      samples[index].count += 1
    } else if samples.count < Self.limit, sample.size <= room {
      room -= sample.size
      samples.append(Entry(sample: sample, count: 1))
    } else {
      others += 1
    }
  }

  private var entries: [Entry] {
    let booleans = [
      Entry(sample: .boolean(true), count: trues), .init(sample: .boolean(false), count: falses),
    ]
    return booleans.filter { $0.count > 0 } + samples
  }

  /// Returns the values and their counts.
  ///
  /// - Parameter skipped: The number of times that the expression wasn't evaluated although the
  ///   expression around it was.
  func json(skipped: Int) -> [JSONValue] {
    var values = entries.map { Self.json($0.sample.json, $0.count) }
    if skipped > 0 { values.append(Self.json(.object([:]), skipped)) }
    if others > 0 { values.append(Self.json(.object(["otherValues": .object([:])]), others)) }
    return values
  }

  /// The values as texts, and their counts.
  var texts: [(value: String, count: Int)] {
    let texts = entries.map { ($0.sample.text, $0.count) }
    return others > 0 ? texts + [("other values", others)] : texts
  }

  private static func json(_ value: JSONValue, _ count: Int) -> JSONValue {
    .object(["value": value, "count": .integer(Int64(count))])
  }
}
