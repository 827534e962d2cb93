import DequeModule
import FirestoreModel

/// Which documents changed when: what reads of the past and running transactions need to know.
///
/// Bounded by age and by the size of the versions that are kept; what falls out of it can't be
/// read any more.
struct ChangeLog {
  struct Entry {
    /// The commit's time in microseconds.
    let time: Int64
    let record: DocumentRecord
    /// About what the superseded version weighs, in bytes.
    let weight: Int
  }

  /// In the order of commits.
  private var entries: Deque<Entry> = []
  /// How many entries came before the first that is still here.
  private var dropped = 0
  private var weight = 0
  /// The earliest time that can be read, in microseconds.
  private(set) var horizon: Int64 = 0

  init(horizon: Int64) { self.horizon = horizon }

  /// The number the next entry gets.
  var end: Int { dropped + entries.count }
  /// When the last change was.
  var lastTime: Int64? { entries.last?.time }

  mutating func append(_ record: DocumentRecord, at time: Int64, weight: Int) {
    entries.append(Entry(time: time, record: record, weight: weight))
    self.weight += weight
  }

  /// Takes back what was appended last.
  mutating func removeLast() { weight -= entries.removeLast().weight }

  /// Forgets whole commits until what is left is young and light enough.
  ///
  /// - Parameter forget: called for each record whose oldest version went.
  mutating func trim(
    before oldest: Int64,
    maximumWeight: Int,
    forget: (DocumentRecord) -> Void
  ) {
    while let first = entries.first, first.time < oldest || weight > maximumWeight {
      // All of a commit or nothing: a read in between would see half of it.
      while let entry = entries.first, entry.time == first.time {
        entries.removeFirst()
        dropped += 1
        weight -= entry.weight
        entry.record.past.removeFirst()
        forget(entry.record)
      }
      horizon = first.time
    }
  }

  /// The entries after a time, from a number on; the newest first.
  func entries(after time: Int64, from number: Int = 0) -> some Sequence<Entry> {
    entries[max(number - dropped, 0)...].reversed().lazy.prefix { $0.time > time }
  }
}
