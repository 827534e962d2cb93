import DequeModule
import FirestoreModel

/// The log of a database's changes. Reads of past states need it, and so do running
/// transactions.
///
/// The log drops changes that are too old, and the oldest ones if the kept versions are too large.
/// The state before a dropped change can't be read.
struct ChangeLog {
  struct Entry {
    /// The commit's time in microseconds.
    let time: Int64
    let record: DocumentRecord
    /// The approximate size of the superseded version, in bytes.
    let weight: Int
  }

  /// The entries, in the order of their commits.
  private var entries: Deque<Entry> = []
  /// The number of entries that were removed from the front.
  private var dropped = 0
  private var weight = 0
  /// The earliest time that can be read, in microseconds.
  private(set) var horizon: Int64 = 0

  init(horizon: Int64) { self.horizon = horizon }

  /// The sequence number of the next entry. Sequence numbers also count the dropped entries.
  var end: Int { dropped + entries.count }
  /// The time of the last change in microseconds, or `nil` if the log holds no change.
  var lastTime: Int64? { entries.last?.time }

  mutating func append(_ record: DocumentRecord, at time: Int64, weight: Int) {
    entries.append(Entry(time: time, record: record, weight: weight))
    self.weight += weight
  }

  /// Removes the entry that was appended last.
  mutating func removeLast() { weight -= entries.removeLast().weight }

  /// Removes the oldest commits until the log has only recent changes and its versions are small
  /// enough.
  ///
  /// - Parameter forget: A closure called with a record each time its oldest version is removed.
  mutating func trim(
    before oldest: Int64,
    maximumWeight: Int,
    forget: (DocumentRecord) -> Void
  ) {
    while let first = entries.first, first.time < oldest || weight > maximumWeight {
      // Remove a commit as a whole: otherwise a read could see half of it.
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

  /// Returns the entries later than a time, newest first. Entries with a lower sequence number than
  /// `number` are left out.
  func entries(after time: Int64, from number: Int = 0) -> some Sequence<Entry> {
    entries[max(number - dropped, 0)...].reversed().lazy.prefix { $0.time > time }
  }
}
